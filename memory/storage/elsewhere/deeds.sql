-- name: queue
INSERT INTO sibling_deeds (sibling, deed, body, asked_at) VALUES (:sibling, :deed, :body, :now)

-- name: hand_over
-- What waits for an address that is not named any more; who did it already only says so.
INSERT OR IGNORE INTO sibling_deeds (sibling, deed, body, asked_at)
SELECT n.value, d.deed, d.body, d.asked_at FROM sibling_deeds AS d CROSS JOIN json_each(:named) AS n
WHERE d.sibling NOT IN (SELECT value FROM json_each(:named)) ORDER BY d.seq

-- name: drop_unnamed
DELETE FROM sibling_deeds WHERE sibling NOT IN (SELECT value FROM json_each(:named))

-- name: waiting
SELECT deed, body FROM sibling_deeds WHERE sibling = :sibling ORDER BY asked_at, seq LIMIT :most

-- name: sent
DELETE FROM sibling_deeds WHERE sibling = :sibling AND deed = :deed

-- name: left
SELECT sibling FROM sibling_deeds WHERE deed = :deed ORDER BY seq

-- name: count
SELECT count(*) AS deeds FROM sibling_deeds

-- name: is_done
SELECT 1 FROM sibling_deeds_done WHERE deed = :deed

-- name: done
INSERT INTO sibling_deeds_done (deed, done_at) VALUES (:deed, :now)
ON CONFLICT (deed) DO NOTHING

-- name: keep_linked
-- An account stands there like a deed, with when it was last asked to be joined or split off.
INSERT INTO sibling_deeds_done (deed, done_at) VALUES (:account, :at)
ON CONFLICT (deed) DO UPDATE SET done_at = max(done_at, excluded.done_at)

-- name: linked_since
SELECT deed AS account FROM sibling_deeds_done
WHERE deed IN (SELECT value FROM json_each(:accounts)) AND done_at > :at

-- name: keep_forgetting
INSERT INTO sibling_deed_forgettings (forgetting, deed) VALUES (:forgetting, :deed)

-- name: drop_old
DELETE FROM sibling_deeds_done WHERE done_at < :before

-- name: forgettings_of
SELECT forgetting FROM sibling_deed_forgettings WHERE deed = :deed ORDER BY forgetting DESC

-- name: deed_of
SELECT deed FROM sibling_deed_forgettings WHERE forgetting = :forgetting

-- name: accounts
SELECT platform || ':' || external_id AS account, name FROM identities
WHERE person_id = coalesce((SELECT survivor FROM merged_people WHERE id = :person), :person)
    AND platform = :platform
ORDER BY account
