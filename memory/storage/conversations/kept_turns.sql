-- name: touch_session
UPDATE sessions SET last_at = :now WHERE id = :id

-- name: add
INSERT INTO turns (
    id, session_id, room_id, person_id, account, state, channel, speaker, text, recalled, reply,
    notice, expression, search_text, visibility, audience, carries, error, asked_at, at
) VALUES (
    :id, :session, :room, :person,
    coalesce(:account, (SELECT account FROM messages
        WHERE id IN (SELECT value FROM json_each(:messages)) ORDER BY id DESC LIMIT 1)),
    'replied', :channel, :speaker, :text, :recalled, :reply,
    :notice, :expression, :search_text, :visibility, :audience, :carries, :error, :asked_at, :now
)

-- name: add_tool
INSERT INTO turn_tools (turn_id, position, name, arguments, result, failed)
VALUES (:turn, :position, :name, :arguments, :result, :failed)

-- name: answered
UPDATE messages SET handling = 'answered', turn_id = :id
WHERE id IN (SELECT value FROM json_each(:messages))
    AND handling = 'pending' AND deleted_at IS NULL
