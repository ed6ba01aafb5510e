-- name: waiting
SELECT m.id, m.text FROM claims_waiting AS w
JOIN messages AS m ON m.id = w.message_id
ORDER BY w.message_id DESC LIMIT :limit

-- name: waiting_among
SELECT m.id, m.text FROM json_each(:ids) AS k
JOIN claims_waiting AS w ON w.message_id = k.value
JOIN messages AS m ON m.id = w.message_id

-- name: add
INSERT INTO claims (message_id, "start", "end", slot, status, of_author, certainty)
VALUES (:id, :start, :end, :slot, :status, :of_author, :certainty)

-- name: done
DELETE FROM claims_waiting WHERE message_id IN (SELECT value FROM json_each(:ids))

-- name: of
SELECT c.* FROM json_each(:ids) AS k
JOIN claims AS c ON c.message_id = k.value
ORDER BY c.message_id, c."start", c."end", c.slot
