-- name: unfinished
SELECT * FROM digests WHERE finished_at IS NULL

-- name: slot_done
SELECT 1 AS done FROM digests WHERE slot = :slot AND finished_at IS NOT NULL

-- name: last_finished
SELECT max(finished_at) AS finished_at FROM digests

-- name: oldest_live
SELECT min(m.received_at) AS received_at
FROM live_messages AS l JOIN messages AS m ON m.id = l.message_id

-- name: unclaimed
-- CROSS JOIN keeps SQLite from walking every message there is to find the few live ones.
SELECT m.id, m.room_id AS room, m.audience, length(m.text) AS size
FROM live_messages AS l
CROSS JOIN messages AS m ON m.id = l.message_id
WHERE l.digest_id IS NULL AND l.quarantined_at IS NULL AND m.id <= :latest
ORDER BY m.room_id, m.id LIMIT :limit

-- name: latest
SELECT coalesce(max(message_id), 0) AS latest FROM live_messages

-- name: waiting
SELECT count(*) AS waiting, sum(quarantined_at IS NOT NULL) AS quarantined FROM live_messages

-- name: waiting_in
SELECT count(*) AS waiting, sum(l.quarantined_at IS NOT NULL) AS quarantined
FROM live_messages AS l
CROSS JOIN messages AS m ON m.id = l.message_id
JOIN rooms AS r ON r.id = m.room_id
WHERE r.space = :space

-- name: last_done
SELECT * FROM digests WHERE finished_at IS NOT NULL ORDER BY finished_at DESC LIMIT 1

-- name: start
INSERT INTO digests (id, slot, started_at, messages) VALUES (:id, :slot, :now, :messages)

-- name: add_chunk
INSERT INTO digest_chunks (digest_id, position, room_id, audience, state, lines)
VALUES (:digest, :position, :room, :audience, 'claimed', :lines)

-- name: claim
UPDATE live_messages SET digest_id = :digest, position = :position
WHERE message_id IN (SELECT value FROM json_each(:ids))

-- name: open_chunks
SELECT digest_id AS digest, position, room_id AS room, audience FROM digest_chunks
WHERE digest_id = :digest AND state = 'claimed' ORDER BY position

-- name: lines
SELECT m.* FROM live_messages AS l
JOIN messages AS m ON m.id = l.message_id AND m.deleted_at IS NULL
WHERE l.digest_id = :digest AND l.position = :position
ORDER BY m.id

-- name: before
-- By time, as the index of a room is: ordering by id would read and sort the room's whole past.
SELECT * FROM (
    SELECT * FROM messages
    WHERE room_id = :room AND audience = :audience AND id < :first AND author_kind <> 'system' AND deleted_at IS NULL
        AND sent_at <= (SELECT sent_at FROM messages WHERE id = :first)
    ORDER BY sent_at DESC, id DESC LIMIT :limit
) ORDER BY sent_at, id

-- name: failed
UPDATE digest_chunks SET attempts = attempts + 1, error = :error,
    state = CASE WHEN attempts + 1 >= :limit THEN 'quarantined' ELSE state END
WHERE digest_id = :digest AND position = :position
RETURNING state

-- name: stored
UPDATE digest_chunks SET state = 'stored', error = NULL
WHERE digest_id = :digest AND position = :position AND state = 'claimed'

-- name: count_facts
UPDATE digests SET facts = facts + :facts WHERE id = :digest

-- name: digested
SELECT l.message_id FROM live_messages AS l
JOIN digest_chunks AS c ON c.digest_id = l.digest_id AND c.position = l.position
WHERE l.digest_id = :digest AND c.state = 'stored'

-- name: clear
DELETE FROM live_messages WHERE message_id IN (SELECT value FROM json_each(:ids))

-- name: quarantine
UPDATE live_messages SET quarantined_at = :now, digest_id = NULL, position = NULL
WHERE digest_id = :digest

-- name: finish
UPDATE digests SET finished_at = :now WHERE id = :digest RETURNING *

-- name: release
UPDATE live_messages SET quarantined_at = NULL WHERE quarantined_at IS NOT NULL

-- name: still_claimed
SELECT message_id FROM live_messages WHERE digest_id = :digest AND position = :position
