-- name: latest
-- By when they began, then by id: there are two of them in a day.
SELECT id FROM digests
WHERE (started_at, id) < (:before_at, :before_id)
ORDER BY started_at DESC, id DESC LIMIT :limit

-- name: listed
SELECT d.*, (
        SELECT count(*) FROM digest_chunks AS c WHERE c.digest_id = d.id
    ) AS chunks, (
        SELECT count(*) FROM digest_chunks AS c WHERE c.digest_id = d.id AND c.state = 'claimed'
    ) AS unread, (
        SELECT count(*) FROM digest_chunks AS c WHERE c.digest_id = d.id AND c.state = 'quarantined'
    ) AS quarantined
FROM json_each(:ids) AS k
CROSS JOIN digests AS d ON d.id = k.value
ORDER BY k.key

-- name: open_digest
SELECT id FROM digests WHERE finished_at IS NULL

-- name: last_took
SELECT finished_at, finished_at - started_at AS took_ms FROM digests
WHERE finished_at IS NOT NULL ORDER BY started_at DESC, id DESC LIMIT 1

-- name: chunks
SELECT position, room_id AS room, state, attempts, error, lines FROM digest_chunks
WHERE digest_id = :digest AND position >= :from
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY position LIMIT :limit

-- name: lines
-- In the order of the list; what was taken back or forgotten has no words any more.
SELECT k.value AS id, m.author, m.text, m.sent_at, m.deleted_at, m.room_id
FROM json_each(:ids) AS k
LEFT JOIN messages AS m ON m.id = k.value
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY k.key

-- name: became
-- What rests on these messages; of what is recalled no more only what became of it.
SELECT s.message_id, m.id, CASE
        WHEN m.forgotten_at IS NOT NULL THEN 'forgotten'
        WHEN m.superseded_by IS NOT NULL THEN 'replaced'
        WHEN m.expires_at <= :now THEN 'expired'
        ELSE 'known'
    END AS state, iif(m.forgotten_at IS NULL, m.content, '') AS content
FROM json_each(:ids) AS k
CROSS JOIN memory_sources AS s ON s.message_id = k.value
CROSS JOIN memories AS m ON m.id = s.memory_id
WHERE :audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences))
ORDER BY m.seq

-- name: live
SELECT l.message_id AS message, l.digest_id IS NOT NULL AS claimed,
    l.quarantined_at IS NOT NULL AS quarantined, m.author, m.text, m.sent_at AS at, m.room_id AS room
FROM live_messages AS l
CROSS JOIN messages AS m ON m.id = l.message_id
WHERE l.message_id > :after AND m.deleted_at IS NULL
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY l.message_id LIMIT :limit
