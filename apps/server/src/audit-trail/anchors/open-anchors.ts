import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AnchorsConfig } from '../../platform/config/config.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AnchorPlace, AnchorTarget } from './anchor-target.ts';
import { appendLines, createFileAnchor } from './file-anchor.ts';
import { openS3Anchor } from './s3-anchor.ts';
import { createSyslogAnchor } from './syslog-anchor.ts';
import { createTsaAnchor } from './tsa-anchor.ts';

/**
 * The configured destinations.
 *
 * @throws StartError if a file cannot be read or written
 */
export async function openAnchors({
  file,
  syslog,
  bucket,
  tsa,
}: AnchorsConfig): Promise<AnchorTarget[]> {
  const targets: AnchorTarget[] = [];
  if (file !== undefined) {
    await requireWritable(file);
    targets.push(createFileAnchor(file));
  }
  if (syslog !== undefined) {
    const ca = syslog.caFile === undefined ? undefined : await readText(syslog.caFile);
    targets.push(createSyslogAnchor({ url: syslog.url, ca }));
  }
  if (bucket !== undefined) targets.push(await openS3Anchor(bucket));
  if (tsa !== undefined) {
    const roots = await readCertificates(tsa.caFile);
    targets.push(createTsaAnchor({ ...tsa, roots, file }));
  }
  return targets;
}

/**
 * Certificates of a PEM file.
 *
 * @throws StartError if it contains none
 */
export async function readCertificates(file: string): Promise<X509Certificate[]> {
  const text = await readText(file);
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    if (found.length === 0) throw new Error('none');
    return found.map((pem) => new X509Certificate(pem));
  } catch {
    throw new StartError(`${file} does not contain PEM certificates.`);
  }
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new StartError(`${file} cannot be read.`);
  });
}

async function requireWritable(file: string): Promise<void> {
  await appendLines(file, []).catch((error: Error) => {
    throw new StartError(`The anchor file ${file} cannot be written: ${error.message}.`);
  });
}

/** The configured destinations, for reading their progress. */
export const anchorPlacesOf = ({ file, syslog, bucket, tsa }: AnchorsConfig): AnchorPlace[] => [
  ...(file === undefined ? [] : [{ name: 'file' as const, everyMs: 0 }]),
  ...(syslog === undefined ? [] : [{ name: 'syslog' as const, everyMs: 0 }]),
  ...(bucket === undefined ? [] : [{ name: 's3' as const, everyMs: bucket.everyMs }]),
  ...(tsa === undefined ? [] : [{ name: 'tsa' as const, everyMs: tsa.everyMs }]),
];
