import type { z } from 'zod';
import { checkParameters } from '@deviceportal/contract/command-parameters';
import { documentNameSchema } from '@deviceportal/contract/documents';
import type { DocumentTest, testDocumentInput } from '@deviceportal/contract/document-tests';
import { storeReferencesIn, withStoreValues } from '@deviceportal/contract/store-references';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { ConcurrencyLimit } from '../platform/growth-limits/concurrency-limit.ts';
import { createPatternMatcher } from '../platform/text/match-pattern.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { DocumentsDeps } from './change-version.ts';
import { findVersion } from './data/document-version-queries.ts';
import type { DocumentTestRunner } from './run-document-test.ts';
import { findSubDocuments, sentSubDocument } from './sub-documents.ts';
import { versionSha256 } from './text-sha256.ts';
import { requireValidDocument } from './validate-document.ts';

export interface DocumentTestDeps extends DocumentsDeps {
  readonly runDocumentTest: DocumentTestRunner;
}

export interface TestDocument extends z.infer<typeof testDocumentInput> {
  readonly origin: RequestOrigin;
}

/** Each test is a process that can run for 15 seconds, so the number per user and in total is limited. */
const trying = new ConcurrencyLimit({ each: 1, all: 2, waiting: 20, maxWaitMs: 20_000 });

/**
 * Tests a text, including drafts, on a temporary simulated device. Because it has not been reviewed, parameter store
 * values are replaced by their names.
 *
 * @throws PortalError 2004 if text or parameter values are not valid; 4000 if the test did not end
 */
export async function testDocument(
  deps: DocumentTestDeps,
  viewer: Viewer,
  input: TestDocument,
): Promise<DocumentTest> {
  const { content, phasesText, name, version, model, fault, undo } = input;
  const { document, phases } = requireValidDocument(content, phasesText);
  const subs = await findSubDocuments(deps.database.orm, {
    name: name || '-',
    parsed: document,
    phases,
  });
  const references = storeReferencesIn([document, phases, subs]);
  const storeValues = Object.fromEntries(references.map(({ key, name: of }) => [key, `[${of}]`]));
  const parameters = valuesFor(document.parameters ?? {}, input.parameters, storeValues);
  const request = {
    // Simulated devices recognize documents of a release by name, even if the text was changed.
    documentName: version === null ? 'draft' : name,
    document,
    phases,
    parameters,
    storeValues,
    documents: Object.fromEntries(subs.map((sub) => [sub.reference, sentSubDocument(sub)])),
    model,
    fault,
    undo,
  };
  const documentTest = await trying.run(viewer.userId, () => deps.runDocumentTest(request));
  const ends = documentTest.events.flatMap((event) => (event.kind === 'result' ? [event] : []));
  await inTransaction(deps.database, async (tx) =>
    recordAudit(tx, [
      {
        type: 'document.tried',
        actor: actorOf(viewer, input.origin),
        requestId: input.origin.requestId,
        at: deps.clock(),
        data: {
          ...(await recordedAs(tx, input)),
          model,
          fault,
          results: ends.map(({ statusDetails }) => statusDetails),
        },
      },
    ]),
  );
  return documentTest;
}

/** A text counts as a version only if it equals the text of that version; otherwise it is recorded as a draft. */
async function recordedAs(
  tx: Transaction,
  { name, version, content, phasesText }: TestDocument,
): Promise<object> {
  const sha256 = versionSha256({ content, phasesText });
  const kept = version === null ? undefined : await findVersion(tx, name, version);
  if (kept?.sha256 === sha256) return { document: name, version, draft: false, sha256 };
  const document = documentNameSchema.safeParse(name).data ?? 'draft';
  return { document, version: null, draft: true, sha256 };
}

type Declared = Parameters<typeof checkParameters>[0];

/** A default that refers to the parameter store is only a name here, so its validation rules do not apply. */
function valuesFor(
  declared: Declared,
  given: Readonly<Record<string, unknown>>,
  storeValues: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const { values, issues } = checkParameters(declared, given, createPatternMatcher());
  if (issues.length > 0) throw refuse('input-invalid', { issues });
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value === declared[name]?.default ? withStoreValues(value, storeValues) : value,
    ]),
  );
}
