import { sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { document, documentVersion } from './documents-tables.ts';

const build = new QueryBuilder();

/** Attributes of document versions, for joins by `documentName` and `version`. */
export const documentVersions = build
  .select({
    documentName: documentVersion.documentName,
    version: documentVersion.version,
    consequence: documentVersion.consequence,
    parsed: documentVersion.parsed,
    phases: documentVersion.phases,
  })
  .from(documentVersion)
  .as('version_of_document');

/** The default version of each document, for joins by `documentName`. */
export const defaultVersions = build
  .select({
    documentName: documentVersion.documentName,
    consequence: documentVersion.consequence,
    parsed: documentVersion.parsed,
  })
  .from(document)
  .innerJoin(
    documentVersion,
    sql`${documentVersion.documentName} = ${document.name} and ${documentVersion.version} = ${document.defaultVersion}`,
  )
  .as('default_version_of_document');
