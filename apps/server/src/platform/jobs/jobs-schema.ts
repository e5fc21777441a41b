/** Where the job queue keeps its tables. */
export const JOBS_SCHEMA = 'jobs';
