-- name: of
SELECT topic, audience, created_at AS since FROM quiet_topics
WHERE person_id = :person ORDER BY created_at, topic

-- name: add
INSERT INTO quiet_topics (person_id, topic, audience, created_at)
VALUES (:person, :topic, :audience, :now)
ON CONFLICT (person_id, topic) DO NOTHING

-- name: remove
DELETE FROM quiet_topics WHERE person_id = :person AND topic = :topic
RETURNING topic
