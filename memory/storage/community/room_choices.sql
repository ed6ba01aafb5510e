-- name: chosen
SELECT room_id, role, confidential FROM room_choices

-- name: choose_role
INSERT INTO room_choices (room_id, role, chosen_at, chosen_by) VALUES (:room, :chosen, :now, :by)
ON CONFLICT (room_id) DO UPDATE SET
    role = excluded.role, chosen_at = excluded.chosen_at, chosen_by = excluded.chosen_by

-- name: choose_confidential
INSERT INTO room_choices (room_id, confidential, chosen_at, chosen_by)
VALUES (:room, :chosen IS NOT NULL, :now, :by)
ON CONFLICT (room_id) DO UPDATE SET
    confidential = excluded.confidential, chosen_at = excluded.chosen_at,
    chosen_by = excluded.chosen_by

-- name: drop_empty
DELETE FROM room_choices WHERE room_id = :room AND role IS NULL AND NOT confidential
