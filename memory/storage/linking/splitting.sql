-- name: owner
SELECT i.person_id, i.name, p.observed, p.kept_seen, p.created_at,
    (SELECT count(*) FROM identities AS o WHERE o.person_id = i.person_id) AS accounts
FROM identities AS i JOIN people AS p ON p.id = i.person_id
WHERE i.platform = :platform AND i.external_id = :external_id

-- name: called
-- The accounts of this id or name, or of a person of this id or name; an id is the first.
SELECT i.platform, i.external_id, i.name, i.person_id AS person
FROM identities AS i JOIN people AS p ON p.id = i.person_id
WHERE i.platform || ':' || i.external_id = :text OR i.name = :text COLLATE NOCASE
    OR p.name = :text COLLATE NOCASE OR p.id = :text
ORDER BY i.platform || ':' || i.external_id <> :text, i.person_id, i.platform, i.external_id

-- name: accounts
SELECT platform, external_id, name FROM identities
WHERE person_id = :person ORDER BY platform, external_id

-- name: all_accounts
SELECT platform, external_id, name, person_id AS person FROM identities
ORDER BY person_id, platform, external_id

-- name: person
SELECT id, merged_into FROM people WHERE id = :id

-- name: counts
-- What came from one account of a person; statements that rest on others of theirs too are not it.
SELECT
    (SELECT count(*) FROM messages
        WHERE person_id = :old AND account = :account AND author_kind = 'person'
            AND deleted_at IS NULL) AS messages,
    (SELECT count(*) FROM turns
        WHERE person_id = :old AND account = :account AND (text <> '' OR reply <> '')) AS exchanges,
    (SELECT count(*) FROM active_memories AS m
        WHERE m.author_id = :old AND m.account = :account AND NOT EXISTS (
            SELECT 1 FROM memory_sources AS s JOIN messages AS g ON g.id = s.message_id
            WHERE s.memory_id = m.id AND g.author_kind = 'person'
                AND g.person_id = :old AND g.account IS NOT :account
        )) AS statements,
    (SELECT count(*) FROM core_facts AS c JOIN memories AS m ON m.id = c.memory_id
        WHERE c.person_id = :old AND c.valid_until IS NULL AND m.account = :account) AS facts,
    (SELECT count(*) FROM reminders
        WHERE person_id = :old AND account = :account AND state = 'open') AS reminders

-- name: revive
-- The row that a person had before their accounts were joined, or a new one.
INSERT INTO people (id, name, observed, kept_seen, created_at)
VALUES (:new, :name, :observed, :kept_seen, :now)
ON CONFLICT (id) DO UPDATE SET
    name = excluded.name, observed = excluded.observed, kept_seen = excluded.kept_seen,
    merged_into = NULL

-- name: leave_shared
-- A statement that rests on words from another account too stays, and rests on those alone.
UPDATE memories SET account = (
    SELECT g.account FROM memory_sources AS s JOIN messages AS g ON g.id = s.message_id
    WHERE s.memory_id = memories.id AND g.author_kind = 'person'
        AND g.person_id = :old AND g.account IS NOT :account
    ORDER BY g.id DESC LIMIT 1
)
WHERE author_id = :old AND account = :account AND EXISTS (
    SELECT 1 FROM memory_sources AS s JOIN messages AS g ON g.id = s.message_id
    WHERE s.memory_id = memories.id AND g.author_kind = 'person'
        AND g.person_id = :old AND g.account IS NOT :account
)

-- name: drop_shared_grounds
DELETE FROM memory_sources
WHERE message_id IN (
    SELECT id FROM messages WHERE person_id = :old AND account = :account
) AND memory_id IN (SELECT id FROM memories WHERE author_id = :old AND account IS NOT :account)

-- name: move_identity
UPDATE identities SET person_id = :new WHERE platform = :platform AND external_id = :external_id

-- name: move_messages
UPDATE messages SET
    person_id = iif(person_id = :old, :new, person_id),
    audience = iif(audience = :old_audience, :new_audience, audience)
WHERE account = :account AND (person_id = :old OR audience = :old_audience)

-- name: move_turns
UPDATE turns SET
    person_id = iif(person_id = :old, :new, person_id),
    audience = iif(audience = :old_audience, :new_audience, audience)
WHERE account = :account AND (person_id = :old OR audience = :old_audience)

-- name: move_reminders
UPDATE reminders SET
    person_id = iif(person_id = :old, :new, person_id),
    audience = iif(audience = :old_audience, :new_audience, audience)
WHERE account = :account AND (person_id = :old OR audience = :old_audience)

-- name: move_checkin_rooms
UPDATE checkin_rooms SET person_id = :new WHERE account = :account AND person_id = :old

-- name: mixed_sessions
-- Conversations in which several accounts of one person spoke.
SELECT s.id, s.room_id, s.started_at, s.last_at, s.extracted_to, s.compacted_to
FROM sessions AS s
WHERE s.person_id = :old
    AND EXISTS (SELECT 1 FROM turns AS t WHERE t.session_id = s.id AND t.person_id = :new)
    AND EXISTS (SELECT 1 FROM turns AS t WHERE t.session_id = s.id AND t.person_id <> :new)

-- name: part_session
INSERT INTO sessions (
    id, person_id, room_id, started_at, last_at, ended_at, last_turn, extracted_to, compacted_to
)
SELECT :part, :new, s.room_id, min(t.at), max(t.at), :now, max(t.seq),
    s.extracted_to, s.compacted_to
FROM sessions AS s JOIN turns AS t ON t.session_id = s.id AND t.person_id = :new
WHERE s.id = :session

-- name: part_turns
UPDATE turns SET session_id = :part WHERE session_id = :session AND person_id = :new

-- name: end_sessions
-- Where the other one has a conversation open in the same room, that one goes on.
UPDATE sessions SET ended_at = :now
WHERE person_id = :old AND ended_at IS NULL
    AND id IN (SELECT session_id FROM turns WHERE person_id = :new)
    AND room_id IN (SELECT room_id FROM sessions WHERE person_id = :new AND ended_at IS NULL)

-- name: move_sessions
UPDATE sessions SET person_id = :new
WHERE person_id = :old AND id IN (SELECT session_id FROM turns WHERE person_id = :new)

-- name: move_spans
UPDATE extraction_spans SET audience = :new_audience
WHERE audience = :old_audience AND session_id IN (SELECT id FROM sessions WHERE person_id = :new)

-- name: move_memories
-- What the account said of its own person is about that one from now on.
UPDATE memories SET
    author_id = iif(author_id = :old, :new, author_id),
    person_id = iif(person_id = :old, :new, person_id),
    slot = iif(
        about_person = :old AND author_id = :old,
        replace(slot, :old_audience, :new_audience), slot
    ),
    about_person = iif(about_person = :old AND author_id = :old, :new, about_person),
    audience = iif(audience = :old_audience, :new_audience, audience)
WHERE account = :account AND (author_id = :old OR person_id = :old OR audience = :old_audience)

-- name: move_facts
UPDATE core_facts SET
    person_id = :new, audience = iif(audience = :old_audience, :new_audience, audience)
WHERE person_id = :old AND memory_id IN (SELECT id FROM memories WHERE author_id = :new)

-- name: move_knowledge
UPDATE knowledge SET
    about_person = iif(about_person = :old, :new, about_person),
    person_id = iif(person_id = :old, :new, person_id),
    audience = iif(audience = :old_audience, :new_audience, audience)
WHERE (about_person = :old OR person_id = :old OR audience = :old_audience) AND (
    account = :account
    OR id IN (SELECT id FROM core_facts WHERE person_id = :new)
    OR id IN (
        SELECT s.knowledge_id FROM summaries AS s JOIN sessions AS t ON t.id = s.session_id
        WHERE t.person_id = :new AND s.knowledge_id IS NOT NULL
    )
)

-- name: move_stated_names
UPDATE aliases SET
    person_id = iif(person_id = :old, :new, person_id),
    audience = iif(audience = :old_audience, :new_audience, audience)
WHERE memory_id IN (SELECT id FROM memories WHERE author_id = :new)
    AND (person_id = :old OR audience = :old_audience)

-- name: drop_spoken_names
-- Names under which only the account that leaves ever wrote.
DELETE FROM aliases
WHERE memory_id IS NULL AND person_id = :old AND NOT EXISTS (
    SELECT 1 FROM messages AS m
    WHERE m.person_id = :old AND m.author_kind = 'person' AND m.author = aliases.spelling
        AND m.audience = aliases.audience
)

-- name: spoken_names
SELECT author, person_id AS person, audience, author_kind, max(sent_at) AS sent_at FROM messages
WHERE person_id = :new AND account = :account AND author_kind = 'person'
GROUP BY author, person_id, audience, author_kind

-- name: drop_previews
DELETE FROM forgettings
WHERE state = 'previewed' AND (
    person_id = :old OR iif(selector = '', NULL, selector ->> 'person') = :old
)

-- name: move_changes
-- What an undo would bring back of the account comes back to its own person.
WITH theirs AS MATERIALIZED (
    SELECT coalesce(before, after) ->> 'id' AS id FROM forgetting_rows
    WHERE tbl IN ('memories', 'knowledge') AND coalesce(before, after) ->> 'account' = :account
    UNION SELECT id FROM memories WHERE author_id = :new
    UNION SELECT id FROM knowledge WHERE about_person = :new OR person_id = :new
    UNION
    SELECT coalesce(before, after) ->> 'id' FROM forgetting_rows
    WHERE tbl = 'core_facts' AND coalesce(before, after) ->> 'memory_id' IN (
        SELECT coalesce(before, after) ->> 'id' FROM forgetting_rows
        WHERE tbl = 'memories' AND coalesce(before, after) ->> 'account' = :account
    )
)
UPDATE forgetting_rows SET
    before = iif(before ->> :column = :from, json_set(before, '$.' || :column, :to), before),
    after = iif(after ->> :column = :from, json_set(after, '$.' || :column, :to), after)
WHERE (before ->> :column = :from OR after ->> :column = :from) AND (
    coalesce(before, after) ->> 'account' = :account
    OR coalesce(before, after) ->> 'id' IN (SELECT id FROM theirs)
    OR coalesce(before, after) ->> 'memory_id' IN (SELECT id FROM theirs)
)

-- name: drop_journal_ties
-- Nor does an undo tie what two people said.
DELETE FROM forgetting_rows WHERE position IN (
    SELECT r.position FROM forgetting_rows AS r
    JOIN memories AS f ON f.id = coalesce(r.before, r.after) ->> 'from_id'
    JOIN memories AS t ON t.id = coalesce(r.before, r.after) ->> 'to_id'
    WHERE r.tbl = 'associations' AND :new IN (f.author_id, t.author_id)
        AND f.author_id IS NOT t.author_id
)

-- name: brought_messages
-- The private imports of the account's first person: both sides of each talk.
UPDATE messages SET audience = :new_audience
WHERE audience = :old_audience AND brought_by IN (
    SELECT CAST(value AS INTEGER) FROM joined_belongings WHERE owner = :first AND kind = 'import'
)

-- name: brought_memories
UPDATE memories SET
    audience = :new_audience,
    person_id = iif(person_id = :old, :new, person_id),
    slot = iif(about_person = :old, replace(slot, :old_audience, :new_audience), slot),
    about_person = iif(about_person = :old, :new, about_person)
WHERE audience = :old_audience AND id IN (
    SELECT s.memory_id FROM joined_belongings AS b
    JOIN messages AS g ON g.brought_by = CAST(b.value AS INTEGER)
    JOIN memory_sources AS s ON s.message_id = g.id
    WHERE b.owner = :first AND b.kind = 'import'
    UNION SELECT s.memory_id FROM joined_belongings AS b
    JOIN import_statements AS s ON s.import_id = CAST(b.value AS INTEGER)
    WHERE b.owner = :first AND b.kind = 'import'
)

-- name: brought_facts
UPDATE core_facts SET
    audience = :new_audience, person_id = iif(person_id = :old, :new, person_id)
WHERE audience = :old_audience AND memory_id IN (SELECT id FROM memories WHERE audience = :new_audience)

-- name: brought_knowledge
UPDATE knowledge SET
    audience = :new_audience, about_person = iif(about_person = :old, :new, about_person),
    person_id = iif(person_id = :old, :new, person_id)
WHERE audience = :old_audience
    AND id IN (SELECT id FROM core_facts WHERE audience = :new_audience)

-- name: brought_names
UPDATE aliases SET audience = :new_audience
WHERE audience = :old_audience AND (
    memory_id IN (SELECT id FROM memories WHERE audience = :new_audience)
    OR memory_id IS NULL AND NOT EXISTS (
        SELECT 1 FROM messages AS m
        WHERE m.person_id = aliases.person_id AND m.author = aliases.spelling
            AND m.audience = :old_audience
    )
)

-- name: own_imports
UPDATE imports SET audience = :new_audience
WHERE audience = :old_audience AND CAST(id AS TEXT) IN (
    SELECT value FROM joined_belongings WHERE owner = :first AND kind = 'import'
)

-- name: own_spaces
INSERT OR IGNORE INTO space_members (space, person_id)
SELECT b.value, :new FROM joined_belongings AS b
JOIN space_members AS m ON m.space = b.value AND m.person_id = :old
WHERE b.owner = :first AND b.kind = 'space'

-- name: own_topics
INSERT OR IGNORE INTO quiet_topics (person_id, topic, audience, created_at)
SELECT :new, t.topic, iif(t.audience = :old_audience, :new_audience, t.audience), t.created_at
FROM joined_belongings AS b
JOIN quiet_topics AS t ON t.topic = b.value AND t.person_id = :old
WHERE b.owner = :first AND b.kind = 'topic'

-- name: forget_belongings
DELETE FROM joined_belongings WHERE owner = :first

-- name: leave_spaces
-- What the account takes along is the other's no more, unless another of their accounts had it too.
DELETE FROM space_members
WHERE person_id = :old AND space IN (SELECT space FROM space_members WHERE person_id = :new)
    AND space IN (SELECT value FROM json_each(:taken)) AND space NOT IN (
        SELECT b.value FROM joined_belongings AS b JOIN people AS p ON p.id = b.owner
        WHERE b.kind = 'space' AND (b.owner = :old OR p.merged_into = :old)
    )

-- name: leave_topics
DELETE FROM quiet_topics
WHERE person_id = :old AND topic IN (SELECT value FROM json_each(:taken)) AND topic NOT IN (
    SELECT b.value FROM joined_belongings AS b JOIN people AS p ON p.id = b.owner
    WHERE b.kind = 'topic' AND (b.owner = :old OR p.merged_into = :old)
)

-- name: belongings
SELECT value FROM joined_belongings WHERE owner = :first

-- name: tombstones
SELECT id, forgetting_id, kind, content, stems, telling, forgotten_at FROM tombstones
WHERE audience = :old_audience

-- name: add_tombstone
INSERT INTO tombstones (forgetting_id, kind, audience, content, stems, telling, forgotten_at)
SELECT forgetting_id, kind, :new_audience, content, stems, telling, forgotten_at
FROM tombstones WHERE id = :id
RETURNING id

-- name: add_tombstone_stems
INSERT INTO tombstone_stems (stem, tombstone_id)
SELECT stem, :to FROM tombstone_stems WHERE tombstone_id = :id

-- name: drop_code
DELETE FROM link_codes WHERE person_id = :old AND used_at IS NULL

-- name: drop_ties
-- Nothing ties what two people may know, or says that one's claim took the place of the other's.
DELETE FROM associations WHERE seq IN (
    SELECT a.seq FROM associations AS a
    JOIN memories AS f ON f.id = a.from_id
    JOIN memories AS t ON t.id = a.to_id
    WHERE (f.author_id = :new OR t.author_id = :new)
        AND (f.audience <> t.audience OR (f.author_id IS NOT t.author_id AND a.relation = 'updates'))
)

-- name: replaced_by_others
-- Statements of either whose place was taken by a statement of the other, in order of time.
SELECT m.id, m.store FROM memories AS m JOIN memories AS s ON s.id = m.superseded_by
WHERE m.store = 'memory' AND m.forgotten_at IS NULL
    AND m.author_id IN (:old, :new) AND s.author_id IN (:old, :new) AND m.author_id <> s.author_id
ORDER BY m.valid_from, m.seq

-- name: own_heir
-- The next one in the line of what took its place that is its own author's.
WITH RECURSIVE line (id, step) AS (
    SELECT superseded_by, 1 FROM memories WHERE id = :id
    UNION
    SELECT m.superseded_by, line.step + 1 FROM line JOIN memories AS m ON m.id = line.id
    WHERE m.superseded_by IS NOT NULL
)
SELECT m.id, m.valid_from FROM line JOIN memories AS m ON m.id = line.id
WHERE m.author_id = (SELECT author_id FROM memories WHERE id = :id)
    AND m.audience = (SELECT audience FROM memories WHERE id = :id)
ORDER BY line.step LIMIT 1

-- name: give_back
UPDATE memories SET superseded_by = :heir, valid_until = :until,
    superseded_at = iif(:heir IS NULL, NULL, superseded_at), revision = revision + 1
WHERE id = :id

-- name: facts_that_hold
-- Values that ended with the joining alone: the statement behind them holds.
UPDATE core_facts SET valid_until = NULL
WHERE person_id IN (:old, :new) AND valid_until IS NOT NULL AND memory_id IN (
    SELECT id FROM memories WHERE superseded_by IS NULL AND forgotten_at IS NULL
)
RETURNING id

-- name: found_again
UPDATE knowledge SET retired_at = NULL, revision = revision + 1
WHERE id IN (SELECT value FROM json_each(:ids)) AND retired_at IS NOT NULL

-- name: own_words
-- What either says of themselves that has one value, the earliest first.
SELECT * FROM kept_memories
WHERE author_id IN (:old, :new) AND about_person = author_id AND superseded_by IS NULL
    AND store = 'memory' AND slot LIKE '% of person:%' AND expires_at IS NULL
ORDER BY valid_from, seq

-- name: announce_live
INSERT INTO index_outbox (collection, point_id)
SELECT 'live', printf('00000000-0000-0000-%04x-%012x', m.id >> 48, m.id & 281474976710655)
FROM (
    SELECT id FROM messages
    WHERE author_kind = 'person' AND person_id = :new AND account = :account
    UNION SELECT id FROM messages WHERE audience = :new_audience AND brought_by IS NOT NULL
) AS k JOIN messages AS m ON m.id = k.id
WHERE m.brought_by IS NOT NULL OR EXISTS (SELECT 1 FROM live_messages AS l WHERE l.message_id = m.id)

-- name: announce_turns
INSERT INTO index_outbox (collection, point_id)
SELECT 'conversations', id FROM turns WHERE person_id = :new AND account = :account

-- name: announce_memories
INSERT INTO index_outbox (collection, point_id)
SELECT store, id FROM memories
WHERE forgotten_at IS NULL AND (
    author_id IN (:old, :new) OR audience = :new_audience
    OR (person_id = :new AND account = :account)
)

-- name: announce_knowledge
INSERT INTO index_outbox (collection, point_id)
SELECT 'knowledge', id FROM knowledge
WHERE about_person IN (:old, :new) OR person_id = :new OR audience = :new_audience

-- name: move_slots
UPDATE forgetting_rows SET
    before = iif(before ->> 'author_id' = :new, json_set(
        before, '$.slot', replace(before ->> 'slot', :old_audience, :new_audience)
    ), before),
    after = iif(after ->> 'author_id' = :new, json_set(
        after, '$.slot', replace(after ->> 'slot', :old_audience, :new_audience)
    ), after)
WHERE tbl = 'memories' AND coalesce(before, after) ->> 'account' = :account

-- name: private_rows
SELECT 'messages' AS tbl, id, NULL AS store FROM messages
WHERE audience = :audience AND text <> ''
UNION ALL
SELECT 'turns', id, NULL FROM turns WHERE audience = :audience AND (text <> '' OR reply <> '')
UNION ALL
SELECT 'memories', id, store FROM memories WHERE audience = :audience AND forgotten_at IS NULL

-- name: answers_to
SELECT id FROM turns WHERE person_id = :person AND id IN (SELECT value FROM json_each(:turns))
