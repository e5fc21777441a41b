#!/usr/bin/env node
/**
 * A test of a document as a separate process: the request on standard input, the events on standard
 * output, as JSON.
 */

import { text } from 'node:stream/consumers';
import { reasonOf } from '../../logger.ts';
import { testDocument, type DocumentTestRequest } from '../test-document.ts';

try {
  const request = JSON.parse(await text(process.stdin)) as DocumentTestRequest;
  process.stdout.write(JSON.stringify(await testDocument(request)));
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 1;
}
