import { ownedSlices, slicesWithDataFolder } from './owned-slices.ts';

/** A forbidden direction. Paths are relative to the repository; npm packages are `npm:name`. */
export interface DependencyRule {
  readonly name: string;
  readonly from: RegExp;
  readonly notFrom?: RegExp;
  readonly to: RegExp;
  readonly notTo?: RegExp;
  /** Whether the module's own first captured folder can be imported. */
  readonly exceptOwn?: true;
  /** Whether `import type` is allowed. */
  readonly typesMay?: true;
}

const TESTS = /(\.test\.ts$|\/tests\/)/;
const SERVER = 'apps/server/src';
/** Folders that join the slices: they can use all slices, and no slice can import them. */
const JOINS = '(?:api|cli|compose)/';

/** The layers of ARCHITECTURE.md: imports only go downwards. */
export const rules: readonly DependencyRule[] = [
  {
    name: 'contract and device-protocol are the words of all programs and import no logic',
    from: /^packages\/(?:contract|device-protocol)\/src\//,
    to: /^(apps|bench|e2e|packages\/(identity|aws))/,
  },
  {
    name: 'audit-proof is checked without a portal: it imports no package of this repository',
    from: /^packages\/audit-proof\/src\//,
    to: /^(apps\/|packages\/(?!audit-proof\/))/,
  },
  {
    name: 'identity builds on the words only',
    from: /^packages\/identity\/src\//,
    to: /^(apps\/|packages\/(device-protocol|identity-client|aws)\/)/,
  },
  {
    name: 'optional packages are loaded where they are installed, and imported nowhere',
    from: /^(?:apps|bench|e2e|packages\/(?!(?:aws|telemetry|identity-(?:face|real-name))\/))/,
    to: /^packages\/(?:aws|telemetry|identity-(?:face|real-name))\//,
    // They start other programs and use no client.
    notTo: /^packages\/aws\/tests\/parts\//,
  },
  {
    name: 'optional packages take types of the service alone',
    from: /^packages\/identity-(?:face|real-name)\/src\//,
    to: /^packages\/identity\//,
    typesMay: true,
  },
  {
    name: 'adapters to AWS and telemetry take types of the server alone',
    from: /^packages\/(?:aws|telemetry)\/src\//,
    to: /^(?:apps|packages\/(?!(?:aws|telemetry)\/))/,
    notTo: /^packages\/contract\//,
    typesMay: true,
  },
  {
    name: 'identity-client is publishable: it imports no package of this repository',
    from: /^packages\/identity-client\/src\//,
    to: /^(apps\/|packages\/(?!identity-client\/))/,
  },
  {
    name: 'the CLI is publishable: it takes states and types of the contract, and no schema library',
    from: /^packages\/cli\/src\//,
    to: /^(apps\/|packages\/(?!cli\/))/,
    notTo: /^packages\/contract\/src\/states\.ts$/,
    typesMay: true,
  },
  {
    name: 'programs do not import each other',
    from: /^(apps\/[^/]+)\/src\//,
    notFrom: /^apps\/portal\//,
    to: /^apps\//,
    exceptOwn: true,
  },
  {
    name: 'the portal takes nothing of the server but the type of its API router',
    from: /^apps\/portal\//,
    to: /^apps\/(?!portal\/)/,
    typesMay: true,
  },
  {
    name: 'the portal takes only the type of the API router',
    from: /^apps\/portal\//,
    to: /^apps\/(?!portal\/)/,
    notTo: /^apps\/server\/src\/api\/app-router\.ts$/,
  },
  {
    name: 'the portal speaks to the API only',
    from: /^apps\/portal\/src\//,
    to: /^packages\/(?!contract\/|identity-client\/|audit-proof\/)/,
  },
  {
    name: "the portal's kit, live channel, session and API client know no screen",
    from: /^apps\/portal\/src\/(?:api|i18n|live|session|ui)\//,
    to: /^apps\/portal\/src\/(?!(?:api|i18n|live|session|ui)\/|[\w-]+\/(?:[\w-]+\/)?messages\/)/,
  },
  {
    name: "the portal's session draws nothing",
    from: /^apps\/portal\/src\/session\//,
    to: /^apps\/portal\/src\/(?:live|ui)\//,
  },
  {
    name: 'screens do not know the frame around them',
    from: /^apps\/portal\/src\/(?!app\/|main\.ts)/,
    to: /^apps\/portal\/src\/app\/(?!(?:[\w-]+\/)?messages\/)/,
  },
  {
    name: 'the platform knows no noun',
    from: new RegExp(`^${SERVER}/platform/`),
    notFrom: TESTS,
    to: new RegExp(`^${SERVER}/(?!platform/)`),
  },
  {
    name: "a slice calls another slice's use-cases, never its store",
    from: new RegExp(`^(${SERVER}/(?!${JOINS})[^/]+)/`),
    notFrom: TESTS,
    // The port of files has no SQL.
    to: new RegExp(`^${SERVER}/(?!platform/files/)[^/]+/.*-store\\.ts$`),
    exceptOwn: true,
  },
  {
    name: 'SQL stands in the data folder of its slice',
    from: new RegExp(`^${SERVER}/(?:${slicesWithDataFolder.join('|')})/(?!data/)`),
    notFrom: TESTS,
    to: /^npm:drizzle-orm(?:\/|$)/,
    typesMay: true,
  },
  {
    name: 'tables belong to one slice; others use what it exports of them',
    from: new RegExp(`^(${SERVER}/[^/]+)/`),
    notFrom: TESTS,
    to: new RegExp(`^${SERVER}/(?:${ownedSlices.join('|')})/data/.*-tables\\.ts$`),
    exceptOwn: true,
  },
  {
    name: 'a slice with a data folder uses no tables of others',
    from: new RegExp(`^(${SERVER}/(?:${slicesWithDataFolder.join('|')}))/`),
    notFrom: TESTS,
    to: new RegExp(`^${SERVER}/.*-tables\\.ts$`),
    exceptOwn: true,
  },
  {
    name: 'slices do not know the composition',
    from: new RegExp(`^${SERVER}/(?!${JOINS})[^/]+/`),
    notFrom: TESTS,
    to: new RegExp(`^${SERVER}/(?:${JOINS}|main\\.ts)`),
  },
  {
    name: 'stores and use-cases do not call routers',
    from: new RegExp(`^${SERVER}/(?!${JOINS})[^/]+/`),
    notFrom: /(-router\.ts$|\.test\.ts$)/,
    to: /-router\.ts$/,
  },
  {
    name: 'only its adapters import the AWS SDK',
    from: /^(apps|packages)\/[^/]+\/src\//,
    notFrom: /^packages\/aws\/|\.test\.ts$/,
    to: /^npm:@aws-sdk\//,
  },
  {
    name: 'only the telemetry imports OpenTelemetry',
    from: /^(apps|packages)\/[^/]+\/src\//,
    notFrom: /^packages\/telemetry\/|\.test\.ts$/,
    to: /^npm:@opentelemetry\//,
  },
  {
    name: 'tests are not imported by what they test',
    from: /^(apps|packages)\/[^/]+\/src\//,
    notFrom: TESTS,
    to: TESTS,
  },
];
