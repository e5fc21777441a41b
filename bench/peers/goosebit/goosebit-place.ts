/** An installation of gooseBit. */
export interface GooseBitPlace {
  readonly directory: string;
  readonly dataDir: string;
  readonly port: number;
}

export const DATABASE = 'goosebit';

export const urlOf = ({ port }: GooseBitPlace): string => `http://127.0.0.1:${port}`;

export const socketDirOf = ({ dataDir }: GooseBitPlace): string => `${dataDir}/postgres-socket`;
