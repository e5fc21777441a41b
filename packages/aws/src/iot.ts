import {
  AttachPolicyCommand,
  AttachThingPrincipalCommand,
  CreateThingCommand,
  DeleteCertificateCommand,
  DeleteThingCommand,
  DescribeCertificateCommand,
  DescribeEndpointCommand,
  DetachThingPrincipalCommand,
  GetPolicyCommand,
  IoTClient,
  RegisterCertificateWithoutCACommand,
  ResourceAlreadyExistsException,
  ResourceNotFoundException,
  UpdateCertificateCommand,
} from '@aws-sdk/client-iot';
import {
  DeleteConnectionCommand,
  IoTDataPlaneClient,
  PublishCommand,
  ResourceNotFoundException as NotConnectedException,
} from '@aws-sdk/client-iot-data-plane';
import type { AwsPackage } from '@deviceportal/server/aws-package';
import { withTimeouts } from './with-timeouts.ts';

/** With pauses that grow, and with a rate that the client lowers when AWS throttles it. */
const PATIENT = { retryMode: 'adaptive', maxAttempts: 6 } as const;

/** Devices of AWS IoT Core: their certificates, and what is sent to them. */
export const createIotDevices: AwsPackage['iot']['createIotDevices'] = (options) => {
  const client = new IoTClient({ ...withTimeouts(options), ...PATIENT });
  return {
    async describe(policy) {
      const [{ endpointAddress = '' }, document] = await Promise.all([
        client.send(new DescribeEndpointCommand({ endpointType: 'iot:Data-ATS' })),
        client
          .send(new GetPolicyCommand({ policyName: policy }))
          .then(({ policyDocument }) => policyDocument)
          .catch(undefinedWithout(ResourceNotFoundException)),
      ]);
      return { host: endpointAddress, policy: document };
    },
    async register({ deviceId, certificate, policy }) {
      const thingName = deviceId;
      const [{ id, arn }] = await Promise.all([
        registerCertificate(client, certificate),
        client.send(new CreateThingCommand({ thingName })),
      ]);
      await Promise.all([
        client.send(new AttachThingPrincipalCommand({ thingName, principal: arn })),
        client.send(new AttachPolicyCommand({ policyName: policy, target: arn })),
      ]);
      return id;
    },
    async setActive(certificateId, isActive) {
      const newStatus = isActive ? 'ACTIVE' : 'INACTIVE';
      const change = client.send(new UpdateCertificateCommand({ certificateId, newStatus }));
      // One that does not exist is not active.
      await (isActive ? change : change.catch(undefinedWithout(ResourceNotFoundException)));
    },
    async deleteCertificate({ deviceId, certificateId }) {
      const found = await client
        .send(new DescribeCertificateCommand({ certificateId }))
        .catch(undefinedWithout(ResourceNotFoundException));
      const principal = found?.certificateDescription?.certificateArn;
      if (principal === undefined) return;
      const change = { certificateId, newStatus: 'INACTIVE' } as const;
      await client.send(new UpdateCertificateCommand(change));
      await client
        .send(new DetachThingPrincipalCommand({ thingName: deviceId, principal }))
        .catch(undefinedWithout(ResourceNotFoundException));
      // Also detaches its policy.
      await client.send(new DeleteCertificateCommand({ certificateId, forceDelete: true }));
    },
    async deleteThing(deviceId) {
      await client
        .send(new DeleteThingCommand({ thingName: deviceId }))
        .catch(undefinedWithout(ResourceNotFoundException));
    },
  };
};

export const createIotPublisher: AwsPackage['iot']['createIotPublisher'] = (options) => {
  const client = new IoTDataPlaneClient({ ...withTimeouts(options), ...PATIENT });
  return {
    async publish({ topic, payload, qos }, signal) {
      const message = { topic, qos, payload: Buffer.from(payload) };
      await client.send(new PublishCommand(message), { abortSignal: signal });
    },
    async endConnection(clientId) {
      await client
        .send(new DeleteConnectionCommand({ clientId, cleanSession: true }))
        .catch(undefinedWithout(NotConnectedException));
    },
  };
};

/** One that is registered already is the same: its ID is the digest of the certificate. */
async function registerCertificate(
  client: IoTClient,
  certificatePem: string,
): Promise<{ readonly id: string; readonly arn: string }> {
  try {
    const command = { certificatePem, status: 'ACTIVE' } as const;
    const found = await client.send(new RegisterCertificateWithoutCACommand(command));
    return { id: found.certificateId ?? '', arn: found.certificateArn ?? '' };
  } catch (error) {
    if (!(error instanceof ResourceAlreadyExistsException)) throw error;
    return { id: error.resourceId ?? '', arn: error.resourceArn ?? '' };
  }
}

/** Turns one kind of error into undefined. */
function undefinedWithout(kind: abstract new (...values: never[]) => Error) {
  return (error: unknown): undefined => {
    if (!(error instanceof kind)) throw error;
    return undefined;
  };
}
