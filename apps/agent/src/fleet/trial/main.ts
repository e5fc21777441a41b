#!/usr/bin/env node
/** A dry run as a process of its own: the request on standard input, what happened on standard output, as JSON. */

import { text } from 'node:stream/consumers';
import { reasonOf } from '../../logger.ts';
import { tryDocument, type TrialRequest } from '../try-document.ts';

try {
  const request = JSON.parse(await text(process.stdin)) as TrialRequest;
  process.stdout.write(JSON.stringify(await tryDocument(request)));
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 1;
}
