/** `npm run bench:peer-goosebit -- --rounds 5 --devices 1000 --stored 10000 --settle 5` */

import { parseArgs } from 'node:util';
import { commonOptions, compareWith } from './compare-with.ts';
import { GOOSEBIT_VERSION } from './goosebit/install-goosebit.ts';
import { openGooseBit } from './goosebit/open-goosebit.ts';

const { values } = parseArgs({ options: commonOptions });
const notes = [
  'Both: the same PostgreSQL, and one process of simulated devices, which report 450 bytes.',
  'Memory: PSS of all processes, the database included, without the simulated devices.',
  'Device Portal: a command by MQTT over TLS to devices that are always connected, with client certificates. It ends when its run has ended: the request, all states, results, and output are committed, with an audit event per device.',
  'gooseBit: a rollout of software, which devices find when they poll, once a minute by default, by HTTP without TLS and authentication, also its defaults. It ends when the success of every device is in the database. gooseBit records the state and log of the last update of each device, and no audit events.',
  'List, all: Device Portal has only pages, so 100 requests; the API of gooseBit answers one request.',
];
await compareWith({ name: `gooseBit ${GOOSEBIT_VERSION}`, open: openGooseBit, notes }, values);
