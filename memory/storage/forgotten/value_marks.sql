-- name: any_for
-- Whether anything was forgotten that these audiences could know, or who they are by now.
SELECT k.value AS audience FROM json_each(:audiences) AS k
WHERE EXISTS (
    SELECT 1 FROM value_marks AS v WHERE v.audience = coalesce((
        SELECT survivor_audience FROM merged_people WHERE id = substr(k.value, 8) AND audience = k.value
    ), k.value)
)

-- name: among
SELECT DISTINCT v.mark, v.person_id FROM json_each(:marks) AS k
CROSS JOIN value_marks AS v ON v.mark = k.value
WHERE v.audience = coalesce((
    SELECT survivor_audience FROM merged_people WHERE id = substr(:audience, 8) AND audience = :audience
), :audience)

-- name: latest
-- When any value was last forgotten there.
SELECT coalesce(max(f.forgotten_at), 0) AS at FROM forgettings AS f
WHERE f.id IN (
    SELECT v.forgetting_id FROM value_marks AS v WHERE v.audience = coalesce((
        SELECT survivor_audience FROM merged_people WHERE id = substr(:audience, 8) AND audience = :audience
    ), :audience)
)

-- name: add
INSERT OR IGNORE INTO value_marks (audience, mark, forgetting_id, person_id)
VALUES (:audience, :mark, :forgetting, :person)

-- name: lift
-- In the room where it was said anew, and for who said it.
DELETE FROM value_marks
WHERE mark IN (SELECT value FROM json_each(:marks)) AND audience IN (:audience, :own)

-- name: remove
DELETE FROM value_marks WHERE forgetting_id = :forgetting

-- name: said_still
-- Whether any row that stays says it before this audience, in words of people.
SELECT EXISTS (
    SELECT 1 FROM messages_fts AS f CROSS JOIN messages AS m ON m.id = f.rowid
    WHERE messages_fts MATCH :match AND m.audience = :audience AND m.author_kind <> 'pet'
        AND m.deleted_at IS NULL AND m.id NOT IN (SELECT value FROM json_each(:but))
        AND NOT (m.id >= :since AND m.person_id IS :asker)
) AS said

-- name: message_texts
SELECT audience, person_id, text FROM messages
WHERE id IN (SELECT value FROM json_each(:ids)) AND author_kind <> 'pet' AND text <> ''
ORDER BY id DESC LIMIT :limit

-- name: memory_texts
SELECT audience, person_id, content AS text FROM memories
WHERE id IN (SELECT value FROM json_each(:ids)) AND content <> '' LIMIT :limit

-- name: names
-- What people are called, and who that is where it is known.
SELECT id AS person_id, name FROM people WHERE merged_into IS NULL
UNION SELECT person_id, name FROM identities
UNION SELECT person_id, spelling FROM aliases

-- name: said_since
SELECT id, audience, author_kind, person_id, text, turn_id FROM messages
WHERE id >= :since AND deleted_at IS NULL AND text <> ''

-- name: reword
UPDATE messages SET text = :text, search_text = :search_text WHERE id = :id

-- name: turns_since
SELECT id, person_id, text, reply, search_text FROM turns WHERE id IN (SELECT value FROM json_each(:turns))

-- name: reword_turn
UPDATE turns SET text = :text, reply = :reply, search_text = :search_text, recalled = '[]' WHERE id = :id
