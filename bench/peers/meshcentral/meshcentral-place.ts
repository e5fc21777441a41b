/** NeDB is its default: files that its own process reads into memory. */
export type MeshCentralDatabase = 'postgres' | 'nedb';

/** An installation of MeshCentral. */
export interface MeshCentralPlace {
  readonly directory: string;
  readonly dataDir: string;
  readonly port: number;
  readonly database: MeshCentralDatabase;
  readonly account: { readonly name: string; readonly password: string };
  /** Arguments of Node. */
  readonly command: readonly string[];
}

export const env = { ...process.env, NODE_ENV: 'production' };
