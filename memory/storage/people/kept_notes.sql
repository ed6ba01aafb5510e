-- name: wanted
SELECT 1 FROM people WHERE id = :person AND kept_seen IS NOT NULL

-- name: want
-- From now on: what was kept before is not told.
UPDATE people SET kept_seen = (SELECT coalesce(max(seq), 0) FROM memories)
WHERE id = coalesce((SELECT survivor FROM merged_people WHERE id = :person), :person)
    AND kept_seen IS NULL

-- name: end
UPDATE people SET kept_seen = NULL
WHERE id = coalesce((SELECT survivor FROM merged_people WHERE id = :person), :person)

-- name: unseen
-- What was read in their own words where they were alone with the pet, and still holds.
SELECT m.seq, m.id, m.content, (
    SELECT json_group_array(old.content) FROM memories AS old
    WHERE old.superseded_by = m.id AND old.audience = m.audience AND old.forgotten_at IS NULL
) AS replaced
FROM people AS p CROSS JOIN memories AS m ON m.author_id = p.id AND m.seq > p.kept_seen
WHERE p.id = :person AND m.audience = 'person:' || p.id
    AND m.store = 'memory' AND m.source = 'conversation'
    AND m.superseded_by IS NULL AND m.forgotten_at IS NULL
    AND (m.expires_at IS NULL OR m.expires_at > :now)
ORDER BY m.seq

-- name: see
UPDATE people SET kept_seen = :last WHERE id = :person AND kept_seen IS NOT NULL

-- name: unsee
UPDATE people SET kept_seen = :before WHERE id = :person AND kept_seen = :last

-- name: latest
SELECT m.id FROM people AS p CROSS JOIN memories AS m ON m.author_id = p.id AND m.seq <= p.kept_seen
WHERE p.id = :person AND m.audience = 'person:' || p.id
    AND m.store = 'memory' AND m.source = 'conversation'
    AND m.superseded_by IS NULL AND m.forgotten_at IS NULL
    AND (m.expires_at IS NULL OR m.expires_at > :now)
ORDER BY m.seq DESC LIMIT 1
