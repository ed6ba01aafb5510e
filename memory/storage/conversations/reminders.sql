-- name: said_at
SELECT received_at FROM messages WHERE id = :message

-- name: known
SELECT id FROM reminders WHERE key = :key

-- name: open_of
SELECT count(*) AS open FROM reminders WHERE person_id = :person AND state = 'open'

-- name: add
-- A message that was taken back meanwhile asks for nothing.
INSERT INTO reminders (
    key, person_id, account, room_id, message_id, audience, text, due_at, zone, locale, state,
    created_at
)
SELECT :key, :person, :account, :room, :message, :audience, :text, :due_at, :zone, :locale, 'open',
    :now
WHERE NOT EXISTS (SELECT 1 FROM messages WHERE id = :message AND deleted_at IS NOT NULL)
RETURNING id

-- name: own
SELECT * FROM reminders
WHERE person_id = coalesce((SELECT survivor FROM merged_people WHERE id = :person), :person)
    AND state = 'open'
ORDER BY due_at, id

-- name: next_due
SELECT r.due_at FROM reminders AS r CROSS JOIN rooms AS o ON o.id = r.room_id
WHERE r.state = 'open' AND o.space NOT IN (SELECT value FROM json_each(:paused))
ORDER BY r.due_at LIMIT 1

-- name: due
-- Under the name of the account that asked: what the same person goes by elsewhere is not for all.
SELECT r.id AS reminder_id, r.person_id, r.account, r.audience, r.text, r.due_at, r.zone, r.locale,
    coalesce((
        SELECT name FROM identities
        WHERE platform = substr(r.account, 1, instr(r.account, ':') - 1)
            AND external_id = substr(r.account, instr(r.account, ':') + 1)
    ), p.name) AS called, o.*
FROM reminders AS r
CROSS JOIN rooms AS o ON o.id = r.room_id
CROSS JOIN people AS p ON p.id = r.person_id
WHERE r.state = 'open' AND r.due_at <= :now
    AND o.space NOT IN (SELECT value FROM json_each(:paused))
ORDER BY r.due_at, r.id LIMIT :limit

-- name: settle
UPDATE reminders SET state = :state, text = '', settled_at = :now
WHERE id = :id AND state = 'open'
RETURNING id

-- name: became
UPDATE reminders SET turn_id = :turn WHERE id = :id

-- name: cancel
UPDATE reminders SET state = 'cancelled', text = '', settled_at = :now
WHERE id = :id AND state = 'open' AND (
    :operator
    OR person_id = coalesce((SELECT survivor FROM merged_people WHERE id = :person), :person)
)
RETURNING id

-- name: by_id
SELECT * FROM reminders WHERE id = :id AND state = 'open'
