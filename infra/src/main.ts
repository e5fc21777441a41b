import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { createPortal } from './create-portal.ts';

const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
createPortal(app, process.env['CDK_DEFAULT_REGION'] ?? 'us-east-1');
app.synth();
