import type { Queryable } from '../database/in-transaction.ts';

/** The certificate of a key: PEM. */
export async function findSamlCertificate(db: Queryable, kid: string): Promise<string | undefined> {
  const { rows } = await db.query<{ certificate: string }>(
    'select certificate from identity.provider_saml_certificate where kid = $1',
    [kid],
  );
  return rows[0]?.certificate;
}

/** Changes nothing where the key has one. */
export async function insertSamlCertificate(
  db: Queryable,
  {
    kid,
    certificate,
    at,
  }: { readonly kid: string; readonly certificate: string; readonly at: Date },
): Promise<void> {
  await db.query(
    `insert into identity.provider_saml_certificate (kid, certificate, created_at)
     values ($1, $2, $3) on conflict do nothing`,
    [kid, certificate, at],
  );
}

/** The keys whose certificate service providers of SAML may have. */
export async function findCertifiedKids(db: Queryable): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ kid: string }>(
    'select kid from identity.provider_saml_certificate',
  );
  return new Set(rows.map(({ kid }) => kid));
}

/** Gives the certificate of one key to another one. */
export async function moveSamlCertificate(
  db: Queryable,
  fromKid: string,
  toKid: string,
): Promise<void> {
  await db.query('update identity.provider_saml_certificate set kid = $2 where kid = $1', [
    fromKid,
    toKid,
  ]);
}
