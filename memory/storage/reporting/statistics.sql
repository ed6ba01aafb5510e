-- name: statements
-- What is found, and what was kept once, by store and kind.
SELECT store, coalesce(category, memory_type) AS kind,
    sum(superseded_by IS NULL AND (expires_at IS NULL OR expires_at > :now)) AS holds,
    count(*) AS kept
FROM memories WHERE forgotten_at IS NULL
GROUP BY store, kind ORDER BY store, holds DESC, kind

-- name: months
SELECT store, strftime('%Y-%m', created_at / 1000, 'unixepoch') AS month, count(*) AS added
FROM memories WHERE forgotten_at IS NULL
GROUP BY store, month ORDER BY month, store

-- name: sizes
SELECT
    (SELECT count(*) FROM messages) AS messages,
    (SELECT count(*) FROM turns) AS turns,
    (SELECT count(*) FROM knowledge WHERE retired_at IS NULL) AS knowledge,
    (SELECT count(*) FROM associations) AS associations,
    (SELECT count(*) FROM people WHERE merged_into IS NULL) AS people,
    (SELECT count(*) FROM rooms) AS rooms

-- name: queues
-- Each of these is a table or an index with nothing in it but what waits.
SELECT
    (SELECT count(*) FROM live_messages) AS live,
    (SELECT count(*) FROM index_outbox) AS outbox,
    (SELECT count(*) FROM messages WHERE handling = 'pending') AS pending,
    (SELECT count(*) FROM turns WHERE state = 'replied') AS undelivered,
    (SELECT count(*) FROM reminders WHERE state = 'open') AS reminders,
    (SELECT count(*) FROM proposals WHERE state = 'open') AS proposals,
    (SELECT count(*) FROM sessions WHERE last_turn > extracted_to) AS unread_sessions

-- name: oldest
-- Since when the oldest of each queue waits; what a digest has given up is no part of one.
SELECT
    (
        SELECT min(m.received_at) FROM live_messages AS l
        CROSS JOIN messages AS m ON m.id = l.message_id WHERE l.quarantined_at IS NULL
    ) AS live,
    (SELECT min(received_at) FROM messages WHERE handling = 'pending') AS pending,
    (SELECT min(at) FROM turns WHERE state = 'replied') AS undelivered

-- name: given_up
SELECT count(*) AS lines FROM live_messages WHERE quarantined_at IS NOT NULL

-- name: checkins_since
SELECT count(*) AS checkins FROM checkins WHERE at >= :since

-- name: turns_since
-- By number, since there is no index of turns by time: of the latest ones those that are not older.
SELECT CASE
        WHEN error IS NOT NULL THEN 'failed'
        WHEN state = 'delivered' THEN 'answered'
        WHEN state = 'refused' THEN 'refused'
        ELSE 'undelivered'
    END AS outcome, count(*) AS turns, sum((
        SELECT count(*) FROM memory_retrievals AS r
        WHERE r.turn_id = latest.id
            AND (r.late <> '[]' OR r.reason IN (SELECT value FROM json_each(:missed)))
    )) AS late
FROM (SELECT id, state, error, at FROM turns ORDER BY seq DESC LIMIT :latest) AS latest
WHERE at >= :since GROUP BY outcome

-- name: latencies
SELECT at - asked_at AS took_ms FROM turns ORDER BY seq DESC LIMIT :latest
