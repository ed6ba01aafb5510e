-- name: heir
SELECT heir FROM husks WHERE id = :person
