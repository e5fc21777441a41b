/** Database schema of the job queue. */
export const JOBS_SCHEMA = 'jobs';
