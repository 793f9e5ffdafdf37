/** What the reader of the page can understand and mend: shown in the page as it stands. */
export class SceneError extends Error {}

/** The cure for all that is wrong with the data. */
export const WRITE_ANEW = 'Write the page anew with "volcontact view".';
