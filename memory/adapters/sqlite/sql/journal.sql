-- name: tables
-- Ordinary tables; those that full text keeps for itself follow by its triggers.
SELECT t.name, c.name AS column, c.pk
FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
WHERE t.schema = 'main' AND t.type = 'table'
ORDER BY t.name, c.cid

-- name: watch_insert
CREATE TEMP TRIGGER "journal_{table}_insert" AFTER INSERT ON main."{table}" BEGIN
    INSERT INTO forgetting_rows (forgetting_id, tbl, action, after)
    VALUES ({forgetting}, '{table}', 'insert', row_json({new}));
END

-- name: watch_update
CREATE TEMP TRIGGER "journal_{table}_update" AFTER UPDATE ON main."{table}" BEGIN
    INSERT INTO forgetting_rows (forgetting_id, tbl, action, before, after)
    VALUES ({forgetting}, '{table}', 'update', row_json({old}), row_json({new}));
END

-- name: watch_delete
CREATE TEMP TRIGGER "journal_{table}_delete" AFTER DELETE ON main."{table}" BEGIN
    INSERT INTO forgetting_rows (forgetting_id, tbl, action, before)
    VALUES ({forgetting}, '{table}', 'delete', row_json({old}));
END

-- name: unwatch
DROP TRIGGER IF EXISTS temp."journal_{table}_{action}"

-- name: written
SELECT tbl, action, before, after FROM forgetting_rows
WHERE forgetting_id = :forgetting ORDER BY position DESC

-- name: clear
DELETE FROM forgetting_rows WHERE forgetting_id = :forgetting

-- name: take_back_insert
DELETE FROM "{table}" WHERE {unchanged}

-- name: take_back_update
UPDATE "{table}" SET {columns} WHERE {unchanged}

-- name: take_back_delete
INSERT OR IGNORE INTO "{table}" ({columns}) VALUES ({values})
