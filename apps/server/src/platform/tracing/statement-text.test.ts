import { expect, test } from 'vitest';
import { operationOf, statementText } from './statement-text.ts';

test.each([
  [
    "select * from device where name = 'O''Brien' and id = $1",
    'select * from device where name = ? and id = $1',
  ],
  ["select E'a\\'b', 12.5, t1.x2 from t1 limit 10", 'select ?, ?, t1.x2 from t1 limit ?'],
  ['select $body$secret $ text$body$', 'select ?'],
  ['update "table1"\n  set a = 1', 'update "table1" set a = ?'],
])('%s has no values in a trace', (text, shown) => {
  expect(statementText(text)).toBe(shown);
});

test.each([
  ['  select 1', 'SELECT'],
  ['(select 1) union (select 2)', 'SELECT'],
  ['with a as (select 1) insert into b select * from a', 'WITH'],
  ['-- comment', 'STATEMENT'],
])('%s is the operation %s', (text, operation) => {
  expect(operationOf(text)).toBe(operation);
});
