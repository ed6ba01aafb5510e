-- name: all
SELECT space, since, begun_by AS "by", until FROM pauses ORDER BY id

-- name: begin
INSERT INTO pauses (space, since, begun_by) VALUES (:space, :now, :by)
ON CONFLICT DO NOTHING

-- name: end
UPDATE pauses SET until = :now, ended_by = :by WHERE space = :space AND until IS NULL
