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
SELECT id FROM rooms WHERE platform = :platform AND external_id = :external_id

-- name: room_known
SELECT 1 FROM rooms WHERE id = :id

-- name: add_room
INSERT INTO rooms (id, platform, external_id, name, kind, role, space, confidential, created_at)
VALUES (:id, :platform, :external_id, :name, :kind, :role, :space, :confidential, :met_at)
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
    expression, search_text, visibility, audience, asked_at, at
) VALUES (
    :id, :session, :room, :person, (
        SELECT :account FROM identities
        WHERE platform = substr(:account, 1, instr(:account, ':') - 1)
            AND external_id = substr(:account, instr(:account, ':') + 1)
            AND person_id = :person
    ), 'delivered', :channel, :speaker, :text, '[]', :reply,
    :expression, :search_text, :visibility, :audience, :at, :at
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
    audience,    reply_to, spaces, handling, turn_id, sent_at, received_at, edited_at
) VALUES (
    :platform, :external_id, :room, :person, (
        SELECT :account FROM identities
        WHERE platform = substr(:account, 1, instr(:account, ':') - 1)
            AND external_id = substr(:account, instr(:account, ':') + 1)
            AND person_id = :person
    ), :author_kind, :author, :text,
    :search_text, :audience,    :reply_to, :spaces, :handling, :turn, :sent_at, :received_at, :edited_at
) ON CONFLICT DO NOTHING

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
    visibility, audience, since, at, revision, created_at, retired_at
) VALUES (
    :id, :kind, :title, :content, :search_text, :channel, :about, :person, (
        SELECT :account FROM identities
        WHERE platform = substr(:account, 1, instr(:account, ':') - 1)
            AND external_id = substr(:account, instr(:account, ':') + 1)
            AND person_id = :person
    ), :room, :space,
    :visibility, :audience, :since, :at, :revision, :created_at, :retired_at
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
