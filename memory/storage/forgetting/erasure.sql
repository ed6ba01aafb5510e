-- name: drop_tools
DELETE FROM turn_tools WHERE turn_id IN (SELECT value FROM json_each(:turns))

-- name: blank_extractions
-- What could not be read of a conversation it may quote.
UPDATE extraction_spans SET error = ''
WHERE error <> '' AND session_id IN (
    SELECT session_id FROM turns WHERE id IN (SELECT value FROM json_each(:turns))
)

-- name: blank_messages
UPDATE messages SET
    text = '', search_text = '', deleted_at = :now, zone = NULL,
    handling = CASE handling WHEN 'pending' THEN 'kept' ELSE handling END
WHERE id IN (SELECT value FROM json_each(:ids)) AND deleted_at IS NULL

-- name: drop_reactions
DELETE FROM reactions WHERE message_id IN (SELECT value FROM json_each(:ids))

-- name: unlive
DELETE FROM live_messages WHERE message_id IN (SELECT value FROM json_each(:ids))

-- name: blank_errors
-- What a digest could not read it may quote.
UPDATE digest_chunks SET error = ''
WHERE error <> '' AND room_id IN (
    SELECT room_id FROM messages WHERE id IN (SELECT value FROM json_each(:ids))
)

-- name: blank_memories
UPDATE memories SET
    content = '', search_text = '', said_by = NULL, slot = NULL, forgotten_at = coalesce(forgotten_at, :now),
    revision = revision + 1
WHERE id IN (SELECT value FROM json_each(:ids)) AND content <> ''

-- name: mute_memories
-- Its words stay what its author said; no query reads a row that is forgotten.
UPDATE memories SET forgotten_at = :now, revision = revision + 1
WHERE id IN (SELECT value FROM json_each(:ids)) AND forgotten_at IS NULL

-- name: drop_subjects
DELETE FROM memory_subjects WHERE memory_id IN (SELECT value FROM json_each(:ids))

-- name: drop_ties
DELETE FROM associations
WHERE from_id IN (SELECT value FROM json_each(:ids))
    OR to_id IN (SELECT value FROM json_each(:ids))

-- name: drop_stated_names
DELETE FROM aliases WHERE memory_id IN (SELECT value FROM json_each(:ids))

-- name: drop_proposals
DELETE FROM proposals
WHERE keep_id IN (SELECT value FROM json_each(:ids))
    OR drop_id IN (SELECT value FROM json_each(:ids))

-- name: facts_from
-- The core facts that were read from these statements.
SELECT id FROM core_facts WHERE memory_id IN (SELECT value FROM json_each(:ids))

-- name: blank_facts
-- A key may be a word of theirs: "favourite_sourdough".
UPDATE core_facts SET key = '', value = ''
WHERE id IN (SELECT value FROM json_each(:ids)) AND value <> ''

-- name: drop_ground
DELETE FROM memory_sources WHERE memory_id = :memory AND message_id = :message

-- name: attribute
UPDATE memories SET said_by = :said_by, author_id = g.person_id, account = g.account,
    person_id = iif(memories.person_id IS memories.author_id, g.person_id, memories.person_id),
    revision = revision + 1
FROM messages AS g WHERE g.id = :heir AND memories.id = :memory

-- name: blank_turns
-- What is left of the person's words is what their messages still say.
UPDATE turns SET
    text = coalesce((
        SELECT group_concat(said.text, char(10)) FROM (
            SELECT m.text FROM messages AS m
            WHERE m.turn_id = turns.id AND m.author_kind <> 'pet' AND m.deleted_at IS NULL
            ORDER BY m.id
        ) AS said
    ), ''),
    recalled = '[]', reply = '', search_text = '', error = CASE WHEN error IS NULL THEN NULL ELSE '' END
WHERE id IN (SELECT value FROM json_each(:ids))

-- name: unfind
UPDATE turns SET search_text = ''
WHERE search_text <> '' AND id IN (
    SELECT m.turn_id FROM memory_sources AS s JOIN messages AS m ON m.id = s.message_id
    WHERE s.memory_id IN (SELECT value FROM json_each(:ids))
)
RETURNING id

-- name: blank_queries
UPDATE memory_retrievals SET query = ''
WHERE turn_id IN (SELECT value FROM json_each(:turns)) AND query <> ''

-- name: blank_recalled
-- What it was answered with may tell of it in other words: it is found no more.
UPDATE turns SET recalled = '[]', search_text = '' WHERE id = :turn

-- name: blank_reply
UPDATE turns SET reply = '', search_text = '' WHERE id = :turn

-- name: answers_of
SELECT id FROM messages
WHERE turn_id IN (SELECT value FROM json_each(:turns)) AND author_kind = 'pet'
    AND deleted_at IS NULL

-- name: blank_knowledge
UPDATE knowledge SET
    title = '', content = '', search_text = '', retired_at = coalesce(retired_at, :now),
    revision = revision + 1
WHERE id IN (SELECT value FROM json_each(:ids)) AND content <> ''

-- name: blank_reminders
UPDATE reminders SET text = '', state = 'cancelled', settled_at = :now
WHERE id IN (SELECT value FROM json_each(:ids)) AND state = 'open'

-- name: unname_person
UPDATE people SET name = :pseudonym, observed = 0, kept_seen = NULL WHERE id = :person

-- name: unname_identities
UPDATE identities SET name = :pseudonym WHERE person_id = :person

-- name: unname_messages
UPDATE messages SET author = :pseudonym WHERE person_id = :person AND author_kind = 'person'

-- name: unname_turns
UPDATE turns SET speaker = :pseudonym WHERE person_id = :person

-- name: unname_rooms
-- A room of two is called after the one who is not the pet.
UPDATE rooms SET name = :pseudonym
WHERE kind = 'direct' AND id IN (SELECT room_id FROM sessions WHERE person_id = :person)

-- name: drop_quiet_topic
DELETE FROM quiet_topics WHERE person_id = :person AND topic = :topic

-- name: drop_quiet_topics
DELETE FROM quiet_topics WHERE person_id = :person

-- name: drop_checkins_of
DELETE FROM checkin_rooms WHERE person_id = :person

-- name: drop_reactions_of
DELETE FROM reactions WHERE account IN (
    SELECT platform || ':' || external_id FROM identities WHERE person_id = :person
)

-- name: drop_names
DELETE FROM aliases WHERE person_id = :person
