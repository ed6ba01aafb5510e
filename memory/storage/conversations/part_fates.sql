-- name: fate
SELECT fate FROM turn_parts WHERE platform = :platform AND external_id = :external_id

-- name: keep
UPDATE turn_parts SET fate = :fate, fate_at = :at
WHERE platform = :platform AND external_id = :external_id
