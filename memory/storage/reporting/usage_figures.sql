-- name: cells
-- One walk over the time that is asked for: every division is added up from these.
SELECT purpose, model, person_id AS person, room_id AS room,
    created_at / 86400000 AS day,
    count(*) AS calls, sum(answers) AS answers, sum(input_tokens) AS input,
    sum(output_tokens) AS output, sum(cache_read_tokens) AS cache_read,
    sum(cache_write_tokens) AS cache_write, sum(cost) AS cost, sum(injected_tokens) AS injected,
    sum(audio_ms) AS audio_ms
FROM llm_usage WHERE created_at >= :since
GROUP BY purpose, model, person_id, room_id, day

-- name: names
SELECT id, name FROM people WHERE id IN (SELECT value FROM json_each(:people))
UNION ALL
SELECT id, name FROM rooms WHERE id IN (SELECT value FROM json_each(:rooms))
