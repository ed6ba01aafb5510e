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

-- name: latencies
SELECT at - asked_at AS took_ms FROM turns ORDER BY seq DESC LIMIT :latest
