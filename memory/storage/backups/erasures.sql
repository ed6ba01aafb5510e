-- name: pet
SELECT value FROM meta WHERE key = 'pet.id'

-- name: after
SELECT seq, kind, key, erased FROM erasures WHERE seq > :after ORDER BY seq LIMIT :limit

-- name: last
SELECT coalesce(max(seq), 0) AS last FROM erasures

-- name: let_go
SELECT DISTINCT target FROM audit_log WHERE action = 'space.let_go' AND at > :since ORDER BY target

-- name: stones
SELECT t.id, t.forgetting_id AS forgetting, t.kind, t.audience, t.content, t.telling, t.forgotten_at, (
    SELECT json_group_array(s.stem) FROM tombstone_stems AS s WHERE s.tombstone_id = t.id
) AS stems
FROM tombstones AS t WHERE t.id IN (SELECT value FROM json_each(:ids))
