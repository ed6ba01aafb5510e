-- name: add
INSERT INTO forgettings (
    state, kinds, selector, token, shown, person_id, mandate, manages, audiences, after_message,
    counts, previewed_at
) VALUES (
    'previewed', :kinds, :selector, :token, :shown, :person, :mandate, :manages, :audiences,
    (SELECT coalesce(max(id), 0) FROM messages), :counts, :now
)
RETURNING id

-- name: drop_previews
-- Those of one person, whose next one takes their place, or all that are too old.
DELETE FROM forgettings
WHERE state = 'previewed' AND (previewed_at < :before OR person_id IS :person AND :replaced)

-- name: waiting
-- By its token, or the latest; asked for in another message than the one that confirms, and with
-- no more power than that has.
SELECT * FROM forgettings
WHERE state = 'previewed' AND person_id IS :person AND previewed_at >= :since
    AND (:token = '' OR token = :token)
    AND (mandate = 'own' OR :mandate = 'pet' OR mandate = :mandate AND manages IS :manages)
    AND (:message IS NULL OR after_message < :message)
ORDER BY id DESC LIMIT 1

-- name: begun
UPDATE forgettings SET state = 'forgotten', forgotten_at = :now, shown = '[]' WHERE id = :id

-- name: count
UPDATE forgettings SET counts = :counts WHERE id = :id RETURNING *

-- name: undoable
-- One by its number, or the latest of the asker.
SELECT * FROM forgettings
WHERE state = 'forgotten' AND forgotten_at + (
        -- A clock that jumped ahead since ends no day; the last look at it is minutes ago at most.
        SELECT coalesce(sum(after - before), 0) FROM clock_jumps
        WHERE before >= forgotten_at - 300000
    ) > :since
    AND (:id IS NULL OR id = :id)
    -- Who commands has no person: managers and the operator undo their own.
    AND (:anybody OR person_id IS :person
        AND (person_id IS NOT NULL OR mandate = :mandate AND manages IS :manages))
ORDER BY id DESC LIMIT 1

-- name: after
SELECT * FROM forgettings WHERE state = 'forgotten' AND id > :id ORDER BY id

-- name: before
-- What may hold the same words and could give them back.
SELECT id FROM forgettings WHERE state = 'forgotten' AND id < :id ORDER BY id

-- name: undone
UPDATE forgettings SET state = 'undone', undone_at = :now, selector = '', token = ''
WHERE id = :id RETURNING *

-- name: by_id
SELECT * FROM forgettings WHERE id = :id

-- name: latest
SELECT * FROM forgettings
WHERE state <> 'previewed' AND id < :before
    AND (:manages IS NULL OR mandate = 'space' AND manages = :manages)
ORDER BY id DESC LIMIT :limit

-- name: due
SELECT id FROM forgettings WHERE state = 'forgotten' AND forgotten_at + (
        SELECT coalesce(sum(after - before), 0) FROM clock_jumps
        WHERE before >= forgotten_at - 300000
    ) <= :before
ORDER BY id

-- name: purging
UPDATE forgettings SET state = 'purging', selector = '', token = ''
WHERE id = :id AND state = 'forgotten' RETURNING id

-- name: in_purge
SELECT id FROM forgettings WHERE state = 'purging'

-- name: purged
UPDATE forgettings SET state = 'purged', purged_at = :now
WHERE id IN (SELECT value FROM json_each(:ids)) AND state = 'purging'

-- name: beginning
-- Every sign of an id sorts before '~'.
SELECT 'turns' AS tbl, id FROM turns WHERE id >= :beginning AND id < :beginning || '~'
UNION ALL
SELECT 'memories', id FROM memories WHERE id >= :beginning AND id < :beginning || '~'
UNION ALL
SELECT 'knowledge', id FROM knowledge WHERE id >= :beginning AND id < :beginning || '~'
LIMIT 3

-- name: said_since
-- How many of these messages people sent after it was asked for.
SELECT count(*) AS more FROM messages
WHERE id IN (SELECT value FROM json_each(:ids)) AND id > :after AND author_kind = 'person'

-- name: soiled
SELECT value FROM meta WHERE key = 'soiled_at'

-- name: cleaned
DELETE FROM meta WHERE key = 'soiled_at' AND value = :mark
