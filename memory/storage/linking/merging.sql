-- name: announce_live
-- Whatever the index says of a person, or for whom, is told anew.
INSERT INTO index_outbox (collection, point_id)
SELECT 'live', printf('00000000-0000-0000-%04x-%012x', m.id >> 48, m.id & 281474976710655)
FROM (
    SELECT id FROM messages WHERE author_kind = 'person' AND person_id = :merged
    UNION SELECT id FROM messages WHERE audience = :merged_audience
) AS k JOIN messages AS m ON m.id = k.id
WHERE m.brought_by IS NOT NULL OR EXISTS (SELECT 1 FROM live_messages AS l WHERE l.message_id = m.id)

-- name: announce_turns
INSERT INTO index_outbox (collection, point_id)
SELECT 'conversations', id FROM turns
WHERE person_id = :merged OR audience = :merged_audience

-- name: announce_memories
INSERT INTO index_outbox (collection, point_id)
SELECT store, id FROM active_memories
WHERE author_id = :merged OR person_id = :merged OR audience = :merged_audience

-- name: announce_knowledge
INSERT INTO index_outbox (collection, point_id)
SELECT 'knowledge', id FROM knowledge
WHERE retired_at IS NULL AND (about_person = :merged OR audience = :merged_audience)

-- name: end_session
-- Where both have a conversation open in one room, one goes on.
UPDATE sessions SET ended_at = :now
WHERE person_id = :merged AND ended_at IS NULL AND room_id IN (
    SELECT room_id FROM sessions WHERE person_id = :survivor AND ended_at IS NULL
)

-- name: move_identities
UPDATE identities SET person_id = :survivor WHERE person_id = :merged

-- name: move_sessions
UPDATE sessions SET person_id = :survivor WHERE person_id = :merged

-- name: move_messages
UPDATE messages SET
    person_id = iif(person_id = :merged, :survivor, person_id),
    audience = iif(audience = :merged_audience, :survivor_audience, audience)
WHERE person_id = :merged OR audience = :merged_audience

-- name: move_turns
UPDATE turns SET
    person_id = iif(person_id = :merged, :survivor, person_id),
    audience = iif(audience = :merged_audience, :survivor_audience, audience)
WHERE person_id = :merged OR audience = :merged_audience

-- name: move_reminders
UPDATE reminders SET
    person_id = iif(person_id = :merged, :survivor, person_id),
    audience = iif(audience = :merged_audience, :survivor_audience, audience)
WHERE person_id = :merged OR audience = :merged_audience

-- name: move_checkin_rooms
UPDATE checkin_rooms SET person_id = :survivor WHERE person_id = :merged

-- name: move_checkins
-- What both were asked, such as a birthday of the year, is one row.
UPDATE OR REPLACE checkins SET
    person_id = :survivor, thing = replace(thing, ':' || :merged || ':', ':' || :survivor || ':')
WHERE person_id = :merged

-- name: move_spans
UPDATE extraction_spans SET audience = :survivor_audience WHERE audience = :merged_audience

-- name: move_chunks
UPDATE digest_chunks SET audience = :survivor_audience WHERE audience = :merged_audience

-- name: move_memories
UPDATE memories SET
    author_id = iif(author_id = :merged, :survivor, author_id),
    slot = replace(slot, :merged_audience, :survivor_audience),
    about_person = iif(about_person = :merged, :survivor, about_person),
    person_id = iif(person_id = :merged, :survivor, person_id),
    audience = iif(audience = :merged_audience, :survivor_audience, audience)
WHERE author_id = :merged OR about_person = :merged OR person_id = :merged
    OR audience = :merged_audience

-- name: move_knowledge
UPDATE knowledge SET
    about_person = iif(about_person = :merged, :survivor, about_person),
    person_id = iif(person_id = :merged, :survivor, person_id),
    audience = iif(audience = :merged_audience, :survivor_audience, audience)
WHERE about_person = :merged OR person_id = :merged OR audience = :merged_audience

-- name: move_facts
UPDATE core_facts SET
    person_id = iif(person_id = :merged, :survivor, person_id),
    audience = iif(audience = :merged_audience, :survivor_audience, audience)
WHERE person_id = :merged OR audience = :merged_audience

-- name: drop_known_names
-- Names that the other one spoke under too, for the same.
DELETE FROM aliases
WHERE memory_id IS NULL AND person_id = :merged AND EXISTS (
    SELECT 1 FROM aliases AS known
    WHERE known.memory_id IS NULL AND known.name = aliases.name AND known.person_id = :survivor
        AND known.audience = iif(aliases.audience = :merged_audience, :survivor_audience, aliases.audience)
)

-- name: move_keys
UPDATE api_keys SET person_id = :survivor WHERE person_id = :merged

-- name: move_names
UPDATE aliases SET
    person_id = iif(person_id = :merged, :survivor, person_id),
    audience = iif(audience = :merged_audience, :survivor_audience, audience)
WHERE person_id = :merged OR audience = :merged_audience

-- name: keep_belongings
-- What either had before, so that a split gives it back; what was noted at an earlier joining stays.
INSERT OR IGNORE INTO joined_belongings (owner, kind, value)
SELECT b.owner, b.kind, b.value FROM (
    SELECT person_id AS owner, 'space' AS kind, space AS value FROM space_members
    UNION ALL SELECT person_id, 'topic', topic FROM quiet_topics
    UNION ALL SELECT substr(audience, 8), 'import', CAST(id AS TEXT) FROM imports
        WHERE audience IN (:merged_audience, :survivor_audience)
) AS b
WHERE b.owner IN (:merged, :survivor) AND NOT EXISTS (
    SELECT 1 FROM joined_belongings AS k JOIN people AS p ON p.id = k.owner
    WHERE k.kind = b.kind AND k.value = b.value AND p.merged_into = b.owner
)

-- name: share_spaces
-- Where both know a space, one row stays.
UPDATE OR REPLACE space_members SET person_id = :survivor WHERE person_id = :merged

-- name: move_brought
UPDATE imports SET audience = :survivor_audience WHERE audience = :merged_audience

-- name: move_quiet_topics
-- Where both have a topic, one row stays.
UPDATE OR REPLACE quiet_topics SET
    person_id = iif(person_id = :merged, :survivor, person_id),
    audience = iif(audience = :merged_audience, :survivor_audience, audience)
WHERE person_id = :merged OR audience = :merged_audience

-- name: move_notes
-- The version of a note that was read ends with whom it was read for.
UPDATE notes SET etag = substr(etag, 1, length(etag) - length(:merged_audience)) || :survivor_audience
WHERE substr(etag, -length(:merged_audience) - 1) = char(9) || :merged_audience

-- name: move_usage
UPDATE llm_usage SET person_id = :survivor WHERE person_id = :merged

-- name: move_deeds
UPDATE audit_log SET actor = :survivor_audience WHERE actor = :merged_audience

-- name: move_value_marks
UPDATE OR REPLACE value_marks SET audience = :survivor_audience WHERE audience = :merged_audience

-- name: give_value_marks
UPDATE value_marks SET person_id = :survivor WHERE person_id = :merged

-- name: move_tombstones
UPDATE tombstones SET audience = :survivor_audience WHERE audience = :merged_audience

-- name: drop_previews
-- What was shown to one of them is not what confirming it would take now.
DELETE FROM forgettings
WHERE state = 'previewed' AND (
    person_id IN (:merged, :survivor)
    OR iif(selector = '', NULL, selector ->> 'person') IN (:merged, :survivor)
)

-- name: move_forgettings
UPDATE forgettings SET
    person_id = iif(person_id = :merged, :survivor, person_id),
    selector = iif(
        iif(selector = '', NULL, selector ->> 'person') = :merged,
        json_set(selector, '$.person', :survivor), selector
    ),
    audiences = iif(audiences IS NULL, NULL, (
        SELECT json_group_array(DISTINCT iif(value = :merged_audience, :survivor_audience, value))
        FROM json_each(forgettings.audiences)
    ))
WHERE person_id = :merged
    OR iif(selector = '', NULL, selector ->> 'person') = :merged
    OR EXISTS (SELECT 1 FROM json_each(forgettings.audiences) WHERE value = :merged_audience)

-- name: drop_merged_changes
-- An undo gives the merged person's row no name again.
DELETE FROM forgetting_rows WHERE tbl = 'people' AND coalesce(before, after) ->> 'id' = :merged

-- name: keep_unobserved
-- Nor does it take back that one of them is not to be observed.
UPDATE forgetting_rows SET before = json_set(before, '$.observed', 0)
WHERE tbl = 'people' AND before ->> 'id' = :survivor
    AND EXISTS (SELECT 1 FROM people WHERE id = :merged AND observed = 0)

-- name: move_changes
-- What an undo brings back is the other's: each value of one column, wherever it stands.
UPDATE forgetting_rows SET
    before = iif(before ->> :column = :old, json_set(before, '$.' || :column, :new), before),
    after = iif(after ->> :column = :old, json_set(after, '$.' || :column, :new), after)
WHERE before ->> :column = :old OR after ->> :column = :old

-- name: move_slots
UPDATE forgetting_rows SET
    before = iif(instr(before ->> 'slot', :merged_audience), json_set(
        before, '$.slot', replace(before ->> 'slot', :merged_audience, :survivor_audience)
    ), before),
    after = iif(instr(after ->> 'slot', :merged_audience), json_set(
        after, '$.slot', replace(after ->> 'slot', :merged_audience, :survivor_audience)
    ), after)
WHERE tbl = 'memories'
    AND (instr(before ->> 'slot', :merged_audience) OR instr(after ->> 'slot', :merged_audience))

-- name: drop_code
DELETE FROM link_codes WHERE person_id = :merged AND used_at IS NULL

-- name: move_codes
UPDATE link_codes SET person_id = :survivor WHERE person_id = :merged

-- name: move_merged
UPDATE people SET merged_into = :survivor WHERE merged_into = :merged

-- name: share_observed
UPDATE people SET
    observed = min(observed, (SELECT observed FROM people WHERE id = :merged)),
    wished_at = max(wished_at, (SELECT wished_at FROM people WHERE id = :merged)),
    created_at = min(created_at, (SELECT created_at FROM people WHERE id = :merged)),
    -- Who wanted to see what is kept under one name does under both, from now on.
    kept_seen = CASE
        WHEN EXISTS (
            SELECT 1 FROM people WHERE id IN (:merged, :survivor) AND kept_seen IS NOT NULL
        ) THEN (SELECT coalesce(max(seq), 0) FROM memories)
    END
WHERE id = :survivor

-- name: mark_merged
UPDATE people SET name = :pseudonym, merged_into = :survivor WHERE id = :merged

-- name: facts_of_both
-- What holds of either, under the audience that will know of it.
SELECT c.id, c.person_id, c.key, c.value, c.valid_from AS since, c.memory_id AS memory,
    iif(c.audience = :merged_audience, :survivor_audience, c.audience) AS audience
FROM core_facts AS c
WHERE c.person_id IN (:merged, :survivor) AND c.valid_until IS NULL
ORDER BY c.valid_from, c.id

-- name: drop_fact
DELETE FROM core_facts WHERE id = :id

-- name: end_fact
UPDATE core_facts SET valid_until = max(valid_from, :until) WHERE id = :id

-- name: statement
SELECT * FROM kept_memories WHERE id = :id AND superseded_by IS NULL
