-- name: latest
-- The latest reading of each room.
SELECT p.*, p.room_id AS room, coalesce(i.stored, 0) AS stored
FROM past_readings AS p LEFT JOIN imports AS i ON i.id = p.import_id
WHERE p.id IN (SELECT max(id) FROM past_readings GROUP BY room_id)
    AND (:room IS NULL OR p.room_id = :room)
ORDER BY p.id

-- name: ask
INSERT INTO past_readings (room_id, days, locale, asked_at, state)
VALUES (:room, :days, :locale, :now, 'asked') ON CONFLICT DO NOTHING

-- name: told
UPDATE past_readings SET state = 'told', told_at = :now WHERE id = :id AND state = 'asked'

-- name: kept_as
UPDATE past_readings SET import_id = :import WHERE id = :id

-- name: ended
UPDATE past_readings SET state = :state WHERE id = :id AND state IN ('asked', 'told')

-- name: stop
UPDATE past_readings SET state = 'stopped' WHERE room_id = :room AND state IN ('asked', 'told')
