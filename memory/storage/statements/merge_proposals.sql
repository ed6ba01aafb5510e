-- name: walk
-- Keys only: each row is then read within its own audience.
SELECT seq, id, audience FROM memories
WHERE seq > (SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM meta WHERE key = :key)
ORDER BY seq LIMIT :limit

-- name: walked
INSERT INTO meta (key, value) VALUES (:key, CAST(:seq AS TEXT))
ON CONFLICT (key) DO UPDATE SET value = excluded.value

-- name: propose
-- Once for each two, whichever way round: what was dismissed is not asked again.
INSERT INTO proposals (keep_id, drop_id, why, similarity, state, proposed_at)
SELECT a.id, b.id, :why, :similarity, 'open', :now
FROM memories AS a JOIN memories AS b ON b.id = :drop AND b.audience = a.audience
WHERE a.id = :keep
ON CONFLICT DO NOTHING

-- name: open
-- Only while both are recalled, and both ends may be seen.
SELECT p.*, p.keep_id AS keep, p.drop_id AS "drop" FROM proposals AS p
JOIN active_memories AS a ON a.id = p.keep_id
JOIN active_memories AS b ON b.id = p.drop_id
WHERE p.state = 'open'
    AND (:id IS NULL OR p.id = :id) AND p.id > :after
    AND (a.expires_at IS NULL OR a.expires_at > :now)
    AND (b.expires_at IS NULL OR b.expires_at > :now)
    AND (:audiences IS NULL OR a.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY p.id LIMIT :limit

-- name: decide
UPDATE proposals SET state = :state, decided_at = :now, decided_by = :by
WHERE id = :id AND state = 'open'
