import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';

/** The two named parameters; servers read their values every minute. */
export class Parameters extends Construct {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new StringParameter(this, 'SessionDuration', {
      parameterName: 'DevicePortalSessionDurationMinutes',
      description: 'Maximum duration of a session in minutes',
      stringValue: '720',
    });
    new StringParameter(this, 'SupportedCountries', {
      parameterName: 'DevicePortalSupportedCountriesParameter',
      description: 'ISO 3166-1 alpha-2 codes of supported countries, separated by commas',
      stringValue: 'AU,BR,CN,DE,ES,FR,GB,IN,JP,PL,US,ZA',
    });
  }
}
