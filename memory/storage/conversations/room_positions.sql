-- name: begin
-- One that was cut short goes on from where it began.
INSERT INTO read_backs (platform, since) VALUES (:platform, :now)
ON CONFLICT (platform) DO UPDATE SET since = min(since, excluded.since)
RETURNING since

-- name: finish
DELETE FROM read_backs WHERE platform = :platform

-- name: rooms
-- The pet's own messages bear its own clock's time and not the platform's.
SELECT id, external_id, parent, created_at AS met_at, coalesce(last_at, created_at) AS last_at FROM (
    SELECT r.id, r.external_id, r.parent, r.created_at, (
        SELECT m.sent_at FROM messages AS m
        WHERE m.room_id = r.id AND m.author_kind <> 'pet' AND m.received_at <= :since
        ORDER BY m.sent_at DESC LIMIT 1
    ) AS last_at
    FROM rooms AS r WHERE r.platform = :platform
) ORDER BY last_at DESC, id

-- name: standing
SELECT external_id, text, sent_at FROM messages
WHERE room_id = :room AND sent_at >= :start
    AND author_kind <> 'pet' AND deleted_at IS NULL AND received_at <= :before
ORDER BY sent_at DESC, id DESC LIMIT :limit
