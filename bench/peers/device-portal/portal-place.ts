export interface PortalPlace {
  readonly dataDir: string;
  readonly port: number;
  readonly mqttPort: number;
}
