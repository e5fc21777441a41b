import {
  GetResourcesCommand,
  ResourceGroupsTaggingAPIClient,
} from '@aws-sdk/client-resource-groups-tagging-api';
import type { AwsPackage } from '@deviceportal/server/aws-package';
import { withTimeouts } from './with-timeouts.ts';

/** Most resources on one page (Resource Groups Tagging API Reference). */
const PAGE = 100;
const TYPES = ['ec2:instance', 'ssm:managed-instance'];

/** Tags of EC2 instances and hybrid nodes, which Systems Manager does not list. */
export const createInstanceTags: AwsPackage['resource-tags']['createInstanceTags'] = (options) => {
  const client = new ResourceGroupsTaggingAPIClient(withTimeouts(options));
  return async (tags, cursor) => {
    const filters = Object.entries(tags).map(([Key, value]) => ({ Key, Values: [value] }));
    const { ResourceTagMappingList = [], PaginationToken } = await client.send(
      new GetResourcesCommand({
        ResourceTypeFilters: TYPES,
        ResourcesPerPage: PAGE,
        ...(filters.length > 0 && { TagFilters: filters }),
        ...(cursor !== undefined && { PaginationToken: cursor }),
      }),
    );
    const instances = ResourceTagMappingList.map(({ ResourceARN = '', Tags = [] }) => ({
      id: ResourceARN.slice(ResourceARN.lastIndexOf('/') + 1),
      tags: Object.fromEntries(Tags.map(({ Key = '', Value = '' }) => [Key, Value])),
    }));
    return { instances, next: PaginationToken || undefined };
  };
};
