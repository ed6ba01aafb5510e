-- name: person_with
SELECT i.person_id FROM identities AS i JOIN json_each(:accounts) AS k
    ON i.platform = k.value ->> 0 AND i.external_id = k.value ->> 1
ORDER BY i.person_id LIMIT 1

-- name: person_known
SELECT 1 FROM people WHERE id = :id

-- name: add_person
INSERT INTO people (id, name, observed, created_at) VALUES (:id, :name, :observed, :met_at)
ON CONFLICT DO NOTHING

-- name: add_account
INSERT INTO identities (platform, external_id, person_id, name)
VALUES (:platform, :external_id, :person, :name)
ON CONFLICT DO NOTHING

-- name: room_at
SELECT id, space FROM rooms WHERE platform = :platform AND external_id = :external_id

-- name: room_known
SELECT 1 FROM rooms WHERE id = :id

-- name: add_room
INSERT INTO rooms (
    id, platform, external_id, name, kind, role, proposed, space, confidential, public, parent,
    starter, community, created_at
) VALUES (
    :id, :platform, :external_id, :name, :kind, :role, :proposed, :space, :confidential, :public,
    :parent, :starter, :community, :met_at
)
ON CONFLICT (platform, external_id) DO UPDATE
SET confidential = max(confidential, excluded.confidential)

-- name: met_again
-- Closed if either folder has it so, and under its name if that was let go of.
UPDATE rooms SET confidential = max(confidential, :confidential),
    name = iif(name = :pseudonym AND community = '', :name, name),
    community = iif(community = '', :community, community)
WHERE id = :here AND space = :space

-- name: unobserve
UPDATE people SET observed = 0 WHERE id = :person AND observed

-- name: known_space_setting
SELECT k.key AS place FROM json_each(:keys) AS k
WHERE CASE k.value ->> 0
    WHEN 'greeted' THEN EXISTS (SELECT 1 FROM greeted_spaces WHERE space = k.value ->> 1)
    WHEN 'everyone_role' THEN EXISTS (SELECT 1 FROM member_roles WHERE space = k.value ->> 1)
    WHEN 'pause' THEN EXISTS (
        SELECT 1 FROM pauses WHERE space = k.value ->> 1 AND since = k.value ->> 4
    )
    WHEN 'member' THEN EXISTS (
        SELECT 1 FROM space_members WHERE space = k.value ->> 1 AND person_id = k.value ->> 3
    )
    WHEN 'room' THEN EXISTS (
        SELECT 1 FROM room_choices WHERE room_id = k.value ->> 2 AND confidential >= k.value ->> 5
    )
    WHEN 'checkins' THEN EXISTS (SELECT 1 FROM checkin_rooms WHERE room_id = k.value ->> 2)
END

-- name: add_greeted
INSERT INTO greeted_spaces (space, greeted_at) VALUES (:space, :at) ON CONFLICT DO NOTHING

-- name: add_everyone_role
INSERT INTO member_roles (space, role, chosen_at, chosen_by) VALUES (:space, :value, :at, 'import')
ON CONFLICT DO NOTHING

-- name: add_pause
INSERT INTO pauses (space, since, begun_by, until, ended_by)
VALUES (:space, :at, 'import', :until, iif(:until IS NULL, NULL, 'import'))
ON CONFLICT DO NOTHING

-- name: add_member
INSERT INTO space_members (space, person_id) VALUES (:space, :person) ON CONFLICT DO NOTHING

-- name: add_room_choice
INSERT INTO room_choices (room_id, role, confidential, chosen_at, chosen_by)
VALUES (:room, nullif(:value, ''), :confidential, :at, 'import')
ON CONFLICT (room_id) DO UPDATE SET confidential = max(confidential, excluded.confidential)

-- name: add_checkins
INSERT INTO checkin_rooms (room_id, locale, since) VALUES (:room, :value, :at)
ON CONFLICT DO NOTHING

-- name: known_marks_key
SELECT k.key AS place FROM json_each(:keys) AS k
WHERE EXISTS (SELECT 1 FROM meta WHERE key GLOB 'tombstones.key*' AND value = k.value)

-- name: known_tombstone
-- Along a stem of each: a community may have as many as it has messages.
WITH called AS MATERIALIZED (
    SELECT id, token FROM forgettings
    WHERE token IN (SELECT value ->> 0 FROM json_each(:keys))
), wanted AS MATERIALIZED (
    SELECT k.key AS place, f.id AS forgetting, k.value ->> 1 AS kind, k.value ->> 2 AS audience,
        k.value ->> 3 AS content, k.value ->> 4 AS stem
    FROM json_each(:keys) AS k CROSS JOIN called AS f ON f.token = k.value ->> 0
)
SELECT w.place FROM wanted AS w
CROSS JOIN tombstone_stems AS s ON s.stem = w.stem
CROSS JOIN tombstones AS t ON t.id = s.tombstone_id AND t.forgetting_id = w.forgetting
    AND t.kind = w.kind AND t.audience = w.audience AND t.content = w.content
UNION ALL
SELECT w.place FROM wanted AS w
CROSS JOIN tombstones AS t ON t.forgetting_id = w.forgetting AND t.stems = 0
    AND t.kind = w.kind AND t.audience = w.audience AND t.content = w.content
WHERE w.stem IS NULL

-- name: known_value_mark
WITH called AS MATERIALIZED (
    SELECT id, token FROM forgettings
    WHERE token IN (SELECT value ->> 0 FROM json_each(:keys))
)
SELECT k.key AS place FROM json_each(:keys) AS k
CROSS JOIN called AS f ON f.token = k.value ->> 0
CROSS JOIN value_marks AS v ON v.audience = k.value ->> 1 AND v.mark = k.value ->> 2
    AND v.forgetting_id = f.id

-- name: add_forgetting
-- Those that were done elsewhere: their marks are all that is known of them.
INSERT INTO forgettings (
    state, kinds, selector, token, mandate, after_message, counts, previewed_at, forgotten_at, purged_at
)
SELECT 'purged', '[]', '', k.key, 'pet', 0, '{}', k.value, k.value, k.value FROM json_each(:done) AS k
WHERE k.key NOT IN (SELECT token FROM forgettings)

-- name: forgettings_called
SELECT id, token FROM forgettings WHERE token IN (SELECT key FROM json_each(:done))

-- name: add_tombstone
INSERT INTO tombstones (forgetting_id, kind, audience, content, stems, telling, forgotten_at)
VALUES (:id, :kind, :audience, :content, :stems, :telling, :forgotten_at)
RETURNING id

-- name: add_stem
INSERT INTO tombstone_stems (stem, tombstone_id)
SELECT DISTINCT value, :id FROM json_each(:stems) WHERE true
ON CONFLICT DO NOTHING

-- name: add_value_mark
INSERT INTO value_marks (audience, mark, forgetting_id, person_id)
VALUES (:audience, :mark, :id, :person)
ON CONFLICT DO NOTHING

-- name: known_session
SELECT k.key AS place FROM json_each(:keys) AS k JOIN sessions AS t ON t.id = k.value

-- name: known_turn
SELECT k.key AS place FROM json_each(:keys) AS k JOIN turns AS t ON t.id = k.value

-- name: known_message
SELECT k.key AS place FROM json_each(:keys) AS k
JOIN messages AS m ON m.platform = k.value ->> 0 AND m.external_id = k.value ->> 1

-- name: known_memory
SELECT k.key AS place FROM json_each(:keys) AS k JOIN memories AS t ON t.id = k.value

-- name: known_association
SELECT k.key AS place FROM json_each(:keys) AS k
JOIN associations AS a
    ON a.from_id = k.value ->> 0 AND a.to_id = k.value ->> 1 AND a.relation = k.value ->> 2

-- name: known_knowledge
SELECT k.key AS place FROM json_each(:keys) AS k JOIN knowledge AS t ON t.id = k.value

-- name: known_reminder
SELECT k.key AS place FROM json_each(:keys) AS k JOIN reminders AS t ON t.key = k.value

-- name: known_quiet_topic
SELECT k.key AS place FROM json_each(:keys) AS k
JOIN quiet_topics AS t ON t.person_id = k.value ->> 0 AND t.topic = k.value ->> 1

-- name: known_core_fact
SELECT k.key AS place FROM json_each(:keys) AS k JOIN core_facts AS t ON t.id = k.value

-- name: add_session
INSERT INTO sessions (id, person_id, room_id, started_at, last_at, ended_at)
VALUES (:id, :person, :room, :started_at, :last_at, :last_at)
ON CONFLICT DO NOTHING

-- name: add_turn
-- An account is kept beside what came from it where it is that person's here: a file gives away none.
INSERT INTO turns (
    id, session_id, room_id, person_id, account, state, channel, speaker, text, recalled, reply,
    expression, search_text, visibility, audience, carries, asked_at, at
) VALUES (
    :id, :session, :room, :person, (
        SELECT :account FROM identities
        WHERE platform = substr(:account, 1, instr(:account, ':') - 1)
            AND external_id = substr(:account, instr(:account, ':') + 1)
            AND person_id = :person
    ), 'delivered', :channel, :speaker, :text, '[]', :reply,
    :expression, :search_text, :visibility, :audience, :carries, :at, :at
) ON CONFLICT DO NOTHING

-- name: mark_read
-- Only as far as everything before it was: the session may have gone on here.
WITH one AS (
    SELECT t.seq, t.session_id, coalesce((
        SELECT max(p.seq) FROM turns AS p WHERE p.session_id = t.session_id AND p.seq < t.seq
    ), 0) AS before
    FROM turns AS t WHERE t.id = :id
)
UPDATE sessions SET
    extracted_to = CASE WHEN :extracted AND extracted_to >= one.before
        THEN one.seq ELSE extracted_to END,
    compacted_to = CASE WHEN :compacted AND compacted_to >= one.before
        THEN one.seq ELSE compacted_to END
FROM one WHERE sessions.id = one.session_id

-- name: add_message
INSERT INTO messages (
    platform, external_id, room_id, person_id, account, author_kind, author, text, search_text,
    audience, reply_to, spaces, handling, turn_id, sent_at, received_at, edited_at, zone
) VALUES (
    :platform, :external_id, :room, :person, (
        SELECT :account FROM identities
        WHERE platform = substr(:account, 1, instr(:account, ':') - 1)
            AND external_id = substr(:account, instr(:account, ':') + 1)
            AND person_id = :person
    ), :author_kind, :author, :text,
    :search_text, :audience, :reply_to, :spaces, :handling, :turn, :sent_at, :received_at, :edited_at,
    :zone
) ON CONFLICT DO NOTHING

-- name: add_reaction
INSERT INTO reactions (message_id, emoji, account, name, at)
SELECT id, :emoji, :account, :name, :at FROM messages
WHERE platform = :platform AND external_id = :external_id
ON CONFLICT DO NOTHING

-- name: add_live
INSERT INTO live_messages (message_id)
SELECT m.id FROM json_each(:keys) AS k
JOIN messages AS m ON m.platform = k.value ->> 0 AND m.external_id = k.value ->> 1
WHERE m.handling = 'observed'
ON CONFLICT DO NOTHING
RETURNING message_id AS id

-- name: add_memory
INSERT INTO memories (
    id, store, content, search_text, memory_type, category, importance, source, said_by,
    author_id, account, about_person, person_id, room_id, space, visibility, audience, revision, created_at,
    updated_at, last_accessed_at, access_count, expires_at, archived_at, valid_from,
    valid_until, slot, superseded_by, superseded_at
) VALUES (
    :id, :store, :content, :search_text, :memory_type, :category, :importance, :source, :said_by,
    :author, (
        SELECT :account FROM identities
        WHERE platform = substr(:account, 1, instr(:account, ':') - 1)
            AND external_id = substr(:account, instr(:account, ':') + 1)
            AND person_id = :author
    ), :about, :person, :room, :space, :visibility, :audience, :revision, :created_at,
    :updated_at, :last_accessed_at, :access_count, :expires_at, :archived_at, :valid_from,
    :valid_until, :slot, :superseded_by, :superseded_at
) ON CONFLICT DO NOTHING

-- name: add_subject
INSERT INTO memory_subjects (memory_id, position, subject, store, importance, updated_at)
SELECT id, :position, :subject, store, importance, updated_at FROM memories WHERE id = :id
ON CONFLICT DO NOTHING

-- name: add_source
INSERT INTO memory_sources (memory_id, message_id)
SELECT :id, m.id FROM json_each(:keys) AS k
JOIN messages AS m ON m.platform = k.value ->> 0 AND m.external_id = k.value ->> 1
WHERE true
ON CONFLICT DO NOTHING

-- name: add_association
INSERT INTO associations (from_id, to_id, relation, weight, origin, created_at)
SELECT a.id, b.id, :relation, :weight, :origin, :created_at
FROM memories AS a JOIN memories AS b ON b.audience = a.audience
WHERE a.id = :start AND b.id = :end AND a.id <> b.id
ON CONFLICT DO NOTHING

-- name: add_knowledge
INSERT INTO knowledge (
    id, kind, title, content, search_text, channel, about_person, person_id, account, room_id, space,
    visibility, audience, carries, since, at, revision, created_at, retired_at
) VALUES (
    :id, :kind, :title, :content, :search_text, :channel, :about, :person, (
        SELECT :account FROM identities
        WHERE platform = substr(:account, 1, instr(:account, ':') - 1)
            AND external_id = substr(:account, instr(:account, ':') + 1)
            AND person_id = :person
    ), :room, :space,
    :visibility, :audience, :carries, :since, :at, :revision, :created_at, :retired_at
) ON CONFLICT DO NOTHING

-- name: add_core_fact
INSERT INTO core_facts (id, person_id, audience, key, value, valid_from, valid_until, memory_id)
VALUES (:id, :person, :audience, :key, :value, :valid_from, :valid_until, :memory)
ON CONFLICT DO NOTHING

-- name: add_quiet_topic
INSERT INTO quiet_topics (person_id, topic, audience, created_at)
VALUES (:person, :topic, :audience, :created_at)
ON CONFLICT DO NOTHING

-- name: add_reminder
INSERT INTO reminders (
    key, person_id, account, room_id, message_id, audience, text, due_at, zone, locale, state,
    created_at
) VALUES (
    :id, :person, (
        SELECT :account FROM identities
        WHERE platform = substr(:account, 1, instr(:account, ':') - 1)
            AND external_id = substr(:account, instr(:account, ':') + 1)
            AND person_id = :person
    ), :room, (
        SELECT id FROM messages WHERE platform = :platform AND external_id = :external_id
            AND room_id = :room AND person_id = :person
    ), :audience, :text, :due_at, :zone, :locale, 'open', :created_at
) ON CONFLICT DO NOTHING
