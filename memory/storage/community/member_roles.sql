-- name: chosen
SELECT space, role FROM member_roles

-- name: choose
INSERT INTO member_roles (space, role, chosen_at, chosen_by) VALUES (:space, :role, :now, :by)
ON CONFLICT (space) DO UPDATE SET
    role = excluded.role, chosen_at = excluded.chosen_at, chosen_by = excluded.chosen_by

-- name: drop
DELETE FROM member_roles WHERE space = :space
