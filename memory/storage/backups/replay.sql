-- name: messages
SELECT id FROM messages
WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(:keys)) AND deleted_at IS NULL

-- name: turns
-- Named, or with a message that is.
SELECT id FROM turns WHERE id IN (SELECT value FROM json_each(:keys))
UNION
SELECT turn_id FROM messages
WHERE turn_id IS NOT NULL
    AND id IN (SELECT CAST(value AS INTEGER) FROM json_each(:messages))

-- name: memories
SELECT id, store FROM memories WHERE id IN (SELECT value FROM json_each(:keys)) AND content <> ''

-- name: knowledge
SELECT id, kind FROM knowledge WHERE id IN (SELECT value FROM json_each(:keys)) AND content <> ''

-- name: reminders
SELECT id FROM reminders WHERE key IN (SELECT value FROM json_each(:keys)) AND state = 'open'

-- name: people
SELECT DISTINCT person_id AS id FROM identities
WHERE platform || ':' || external_id IN (SELECT value FROM json_each(:keys))

-- name: unmet
-- Of whom an import told alone that was taken back: known by their id, no account has one like it.
SELECT id FROM people WHERE id IN (SELECT value FROM json_each(:keys))

-- name: unobserve
UPDATE people SET observed = :observed WHERE id = :person

-- name: add_forgetting
INSERT INTO forgettings (
    id, state, kinds, selector, token, mandate, after_message, counts, previewed_at, forgotten_at,
    purged_at
) VALUES (:id, 'purged', '[]', '', '', 'pet', 0, '{}', :at, :at, :now)
ON CONFLICT (id) DO NOTHING

-- name: add_stone
INSERT INTO tombstones (id, forgetting_id, kind, audience, content, stems, telling, forgotten_at)
VALUES (:id, :forgetting, :kind, :audience, :content, :count, :telling, :forgotten_at)
ON CONFLICT (id) DO NOTHING

-- name: add_value
INSERT INTO value_marks (audience, mark, forgetting_id, person_id)
SELECT :key ->> 0, :key ->> 1, :key ->> 2, :key ->> 3 WHERE true
ON CONFLICT DO NOTHING

-- name: drop_value
DELETE FROM value_marks
WHERE audience = :key ->> 0 AND mark = :key ->> 1 AND forgetting_id = :key ->> 2

-- name: add_stem
INSERT INTO tombstone_stems (stem, tombstone_id) VALUES (:stem, :stone) ON CONFLICT DO NOTHING

-- name: add_erasure
INSERT INTO erasures (seq, kind, key, erased) VALUES (:seq, :kind, :key, :erased)
ON CONFLICT (seq) DO NOTHING

-- name: hear_no_more
-- What waited for an answer when the copy was made has had it since, or is too old for one.
UPDATE messages SET handling = 'stale' WHERE handling = 'pending'

-- name: send_no_more
UPDATE turns SET state = 'refused' WHERE state = 'replied'
