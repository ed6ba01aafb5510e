-- name: page
-- By when they began, then by id: there are two of them in a day.
SELECT * FROM digests
WHERE started_at < :at OR started_at = :at AND id < :id
ORDER BY started_at DESC, id DESC LIMIT :limit

-- name: one
SELECT * FROM digests WHERE id = :id

-- name: chunks
SELECT c.position, c.state, c.attempts, c.error, c.room_id AS room, r.name AS room_name
FROM digest_chunks AS c JOIN rooms AS r ON r.id = c.room_id
WHERE c.digest_id = :id ORDER BY c.position

-- name: lines
SELECT m.id, m.author, m.text, m.sent_at, m.deleted_at, c.state, m.room_id AS room,
    r.name AS room_name
FROM digest_chunks AS c
CROSS JOIN json_each(c.lines) AS line
CROSS JOIN messages AS m ON m.id = line.value
CROSS JOIN rooms AS r ON r.id = m.room_id
WHERE c.digest_id = :id AND m.id > :after
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY m.id LIMIT :limit

-- name: became
SELECT s.message_id AS message, m.id, m.content, m.superseded_by, m.forgotten_at
FROM memory_sources AS s JOIN memories AS m ON m.id = s.memory_id
WHERE s.message_id IN (SELECT value FROM json_each(:messages))
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY s.message_id, m.seq

-- name: live
-- Newest first; CROSS JOIN keeps SQLite from walking every message to find the few live ones.
SELECT l.message_id AS id, l.digest_id, l.quarantined_at, m.author, m.text, m.sent_at,
    m.room_id AS room, r.name AS room_name
FROM live_messages AS l
CROSS JOIN messages AS m ON m.id = l.message_id
CROSS JOIN rooms AS r ON r.id = m.room_id
WHERE l.message_id < :before
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY l.message_id DESC LIMIT :limit

-- name: last_took
SELECT finished_at, finished_at - started_at AS took_ms FROM digests
WHERE finished_at IS NOT NULL ORDER BY finished_at DESC LIMIT 1
