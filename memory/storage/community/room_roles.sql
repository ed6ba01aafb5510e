-- name: chosen
SELECT room_id, role FROM room_roles

-- name: choose
INSERT INTO room_roles (room_id, role, chosen_at, chosen_by) VALUES (:room, :role, :now, :by)
ON CONFLICT (room_id) DO UPDATE SET
    role = excluded.role, chosen_at = excluded.chosen_at, chosen_by = excluded.chosen_by

-- name: drop
DELETE FROM room_roles WHERE room_id = :room
