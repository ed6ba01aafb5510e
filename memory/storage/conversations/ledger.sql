-- name: add_retrieval
INSERT INTO memory_retrievals (
    turn_id, query, reason, considered, late, elsewhere, tokens, took_ms, created_at
) VALUES (:turn, :query, :reason, :considered, :late, :elsewhere, :tokens, :took_ms, :now)
RETURNING id

-- name: add_item
INSERT INTO memory_retrieval_items (
    retrieval_id, position, section, ref, sources, signals, score, worth, confidence, proven,
    duplicate, kept, reason
) VALUES (
    :retrieval, :position, :section, :ref, :sources, :signals, :score, :worth, :confidence, :proven,
    :duplicate, :kept, :reason
)

-- name: shown
SELECT i.ref, max(r.id) AS latest, i.position FROM memory_retrievals AS r
JOIN memory_retrieval_items AS i ON i.retrieval_id = r.id AND i.kept = 1
WHERE r.turn_id IN (SELECT value FROM json_each(:turns))
GROUP BY i.ref
ORDER BY latest, i.position

-- name: add_usage
INSERT INTO llm_usage (
    purpose, model, person_id, space, room_id, outcome, answers, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, injected_tokens, estimated_tokens, cost, audio_ms, took_ms, created_at
) VALUES (
    :purpose, :model, :person, :space, :room, :outcome, :answers, :input, :output, :cache_read, :cache_write, :injected,
    :estimated, :cost, :audio_ms, :took_ms, :now
)

-- name: spent
-- Some servers count nothing: an answer that came is then worth what its request was taken for.
SELECT purpose, person_id AS person, space, sum(answers) AS answers, sum(CASE
        WHEN input_tokens + output_tokens + cache_read_tokens + cache_write_tokens = 0
            AND outcome IN ('end', 'tools', 'length', 'refusal') THEN estimated_tokens
        ELSE input_tokens + cache_write_tokens
    END) AS input, sum(output_tokens) AS output, sum(cost) AS cost, sum(audio_ms) AS audio_ms
FROM llm_usage WHERE created_at >= :since
GROUP BY purpose, person_id, space

-- name: outcomes
SELECT outcome, count(*) AS calls FROM llm_usage WHERE created_at >= :since GROUP BY outcome

-- name: counted
-- A call that was cancelled was not counted by the provider, and some servers count nothing.
SELECT coalesce(sum(input_tokens + cache_read_tokens + cache_write_tokens), 0) AS counted,
    coalesce(sum(estimated_tokens), 0) AS estimated
FROM llm_usage
WHERE created_at >= :since AND purpose = 'turn' AND person_id = :person
    AND outcome <> 'cancelled' AND input_tokens + cache_read_tokens + cache_write_tokens > 0

-- name: of_turn
SELECT i.* FROM memory_retrievals AS r
JOIN memory_retrieval_items AS i ON i.retrieval_id = r.id
WHERE r.turn_id = :turn ORDER BY i.position

-- name: label
UPDATE memory_retrieval_items SET useful = :useful
WHERE kept = 1 AND ref = :ref
    AND retrieval_id IN (SELECT id FROM memory_retrievals WHERE turn_id = :turn)

-- name: retrieval_of
SELECT * FROM memory_retrievals WHERE turn_id = :turn

-- name: untrimmed
SELECT id FROM memory_retrievals
WHERE trimmed_at IS NULL AND created_at < :before
ORDER BY created_at LIMIT :most

-- name: trim
-- What stood in the window stays: the exchange may quote it, and is forgotten with it.
DELETE FROM memory_retrieval_items
WHERE retrieval_id IN (SELECT value FROM json_each(:retrievals))
    AND kept = 0 AND reason NOT IN ('in the window', 'said in the window')

-- name: trimmed
UPDATE memory_retrievals SET trimmed_at = :now
WHERE id IN (SELECT value FROM json_each(:retrievals))

-- name: usage
SELECT purpose, count(*) AS calls, sum(answers) AS answers, sum(input_tokens) AS input, sum(output_tokens) AS output,
    sum(cache_read_tokens) AS cache_read, sum(cache_write_tokens) AS cache_write,
    sum(cost) AS cost, sum(injected_tokens) AS injected, sum(audio_ms) AS audio_ms
FROM llm_usage WHERE created_at >= :since AND model <> :without
GROUP BY purpose ORDER BY sum(input_tokens + cache_write_tokens + output_tokens) DESC, purpose

-- name: messages_behind
SELECT s.memory_id, s.message_id FROM memory_sources AS s
JOIN active_memories AS m ON m.id = s.memory_id
WHERE s.memory_id IN (SELECT value FROM json_each(:ids))
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    AND (m.expires_at IS NULL OR m.expires_at > :now)

-- name: past_questions
-- The latest exchanges that people began and nothing was taken back of.
SELECT t.id AS turn, t.text, t.speaker, t.person_id AS person, t.room_id AS room, t.at
FROM turns AS t
CROSS JOIN memory_retrievals AS r ON r.turn_id = t.id
    AND r.reason IN ('looked up', 'switched off')
WHERE t.search_text <> '' AND t.text <> '' AND t.state = 'delivered'
    AND (:audiences IS NULL OR t.audience IN (SELECT value FROM json_each(:audiences)))
    AND (NOT :injected OR EXISTS (
        SELECT 1 FROM memory_retrieval_items AS i WHERE i.retrieval_id = r.id AND i.kept = 1
    ))
ORDER BY t.seq DESC LIMIT :limit

-- name: labelled_turns
SELECT DISTINCT r.turn_id FROM memory_retrieval_items AS i
    INDEXED BY memory_retrieval_items_labelled
CROSS JOIN memory_retrievals AS r ON r.id = i.retrieval_id
WHERE i.useful IS NOT NULL AND r.turn_id IS NOT NULL
ORDER BY i.retrieval_id DESC LIMIT :limit

-- name: add_score
INSERT INTO evaluations (at, ranking, questions, lines, precision, helped, mrr)
VALUES (:at, :ranking, :questions, :lines, :precision, :helped, :mrr)

-- name: scores
SELECT * FROM evaluations ORDER BY id

-- name: count_scores
SELECT count(*) AS n FROM evaluations
