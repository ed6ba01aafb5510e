-- name: open_session
SELECT id, mark, started_at, last_at, last_turn FROM sessions
WHERE person_id = :person AND room_id = :room AND ended_at IS NULL

-- name: end_session
UPDATE sessions SET ended_at = :now WHERE id = :id

-- name: end_idle
UPDATE sessions SET ended_at = :now WHERE ended_at IS NULL AND last_at < :before RETURNING id

-- name: start_session
INSERT INTO sessions (id, person_id, room_id, started_at, last_at)
VALUES (:id, :person, :room, :now, :now)
RETURNING id, mark, started_at, last_turn

-- name: part_sent
UPDATE turns SET parts_sent = :parts WHERE id = :id

-- name: add_part
INSERT INTO turn_parts (platform, external_id, turn_id, part)
VALUES (:platform, :external_id, :turn, :part)
ON CONFLICT DO NOTHING

-- name: last_answered
-- A reminder answers the message that asked for it.
SELECT m.id, m.external_id FROM messages AS m
WHERE m.turn_id = :id AND m.author_kind = 'person' AND m.deleted_at IS NULL
UNION ALL
SELECT m.id, m.external_id FROM reminders AS r JOIN messages AS m ON m.id = r.message_id
WHERE r.turn_id = :id AND m.deleted_at IS NULL
ORDER BY 1 DESC LIMIT 1

-- name: delivered
UPDATE turns SET state = 'delivered' WHERE id = :id

-- name: refused
UPDATE turns SET state = 'refused' WHERE id = :id

-- name: undelivered
-- A check-in is sent once, when it is made, or not at all.
SELECT * FROM turns AS t
WHERE state = 'replied' AND NOT EXISTS (SELECT 1 FROM checkins WHERE turn_id = t.id)
ORDER BY seq

-- name: waiting
SELECT * FROM turns WHERE id = :id AND state = 'replied'

-- name: window
SELECT * FROM turns
WHERE session_id = :session
    AND seq > (SELECT compacted_to FROM sessions WHERE id = :session)
ORDER BY seq

-- name: last_talk
-- The newest turns of the last conversation of a person in a room before another began there.
SELECT * FROM turns
WHERE session_id = (
    SELECT p.id FROM sessions AS s
    JOIN sessions AS p ON p.person_id = s.person_id AND p.room_id = s.room_id AND p.id <> s.id
    WHERE s.id = :session AND p.last_at < s.started_at AND p.last_at >= :since
    ORDER BY p.last_at DESC LIMIT 1
)
ORDER BY seq DESC LIMIT :most

-- name: visible
SELECT t.* FROM turns AS t
WHERE t.id IN (SELECT value FROM json_each(:ids)) AND t.state = 'delivered'
    AND t.search_text <> ''
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR t.carries = '[]' OR NOT EXISTS (
        SELECT 1 FROM json_each(t.carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))

-- name: kept_quiet
SELECT json_extract(arguments, '$.reason') AS reason FROM turn_tools
WHERE turn_id = :id AND name IN ('skip', 'react') AND NOT failed LIMIT 1

-- name: by_id
SELECT * FROM turns
WHERE id = :id
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))

-- name: starting
-- Every sign of an id sorts before '~'.
SELECT * FROM turns
WHERE id >= :beginning AND id < :beginning || '~'
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY seq DESC LIMIT :limit

-- name: latest
SELECT t.* FROM turns AS t JOIN rooms AS r ON r.id = t.room_id
WHERE (:speaker IS NULL OR t.speaker = :speaker COLLATE NOCASE)
    AND (:room IS NULL OR r.name = :room COLLATE NOCASE OR r.id = :room)
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY t.seq DESC LIMIT 1

-- name: previous
SELECT t.* FROM sessions AS s CROSS JOIN turns AS t ON t.session_id = s.id
WHERE s.ended_at IS NULL AND s.room_id = :room AND (t.reply <> '' OR t.notice = '')
    AND NOT EXISTS (
        SELECT 1 FROM turn_tools AS u
        WHERE u.turn_id = t.id AND u.name IN ('skip', 'react') AND NOT u.failed
    )
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY s.person_id = :person DESC, t.seq DESC LIMIT 1

-- name: gone
SELECT id FROM turns
WHERE id IN (SELECT value FROM json_each(:ids)) AND search_text = ''
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))

-- name: stale
SELECT DISTINCT r.turn_id FROM memory_retrievals AS r
JOIN memory_retrieval_items AS i ON i.retrieval_id = r.id AND i.kept = 1
JOIN memories AS m ON m.id = substr(i.ref, instr(i.ref, ':') + 1, 36)
WHERE r.turn_id IN (SELECT value FROM json_each(:turns))
    AND (m.forgotten_at IS NOT NULL OR m.superseded_by IS NOT NULL OR m.expires_at <= :now
        OR (:audiences IS NOT NULL
            AND m.audience NOT IN (SELECT value FROM json_each(:audiences))))
UNION
SELECT r.turn_id FROM memory_retrievals AS r
JOIN memory_retrieval_items AS i ON i.retrieval_id = r.id AND i.kept = 1
JOIN turns AS t ON t.id = substr(i.ref, instr(i.ref, ':') + 1, 36)
WHERE r.turn_id IN (SELECT value FROM json_each(:turns))
    AND (t.search_text = '' OR (:audiences IS NOT NULL AND EXISTS (
        SELECT 1 FROM json_each(json_insert(t.carries, '$[#]', t.audience)) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    )))
UNION
SELECT r.turn_id FROM memory_retrievals AS r
JOIN memory_retrieval_items AS i ON i.retrieval_id = r.id AND i.kept = 1
LEFT JOIN knowledge AS k ON k.id = substr(i.ref, instr(i.ref, ':') + 1, 36)
WHERE r.turn_id IN (SELECT value FROM json_each(:turns)) AND i.ref >= 'knowledge:'
    AND i.ref < 'knowledge:~'
    AND (k.id IS NULL OR k.retired_at IS NOT NULL OR (:audiences IS NOT NULL AND EXISTS (
        SELECT 1 FROM json_each(json_insert(k.carries, '$[#]', k.audience)) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    )))

-- name: overheard_for
SELECT r.turn_id, i.ref FROM memory_retrievals AS r
JOIN memory_retrieval_items AS i ON i.retrieval_id = r.id AND i.kept = 1 AND i.section = 'live'
WHERE r.turn_id IN (SELECT value FROM json_each(:turns))

-- name: unsaid
SELECT t.id AS turn_id FROM json_each(:heard) AS k
CROSS JOIN turns AS t ON t.id = k.value ->> 0
CROSS JOIN messages AS m ON m.id = k.value ->> 1
WHERE m.deleted_at IS NOT NULL OR m.edited_at > t.at
    OR (:audiences IS NOT NULL AND m.audience NOT IN (SELECT value FROM json_each(:audiences)))

-- name: fate
SELECT fate FROM turn_parts WHERE platform = :platform AND external_id = :external_id

-- name: keep_fate
UPDATE turn_parts SET fate = :fate, fate_at = :at
WHERE platform = :platform AND external_id = :external_id
