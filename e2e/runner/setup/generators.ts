import { installPythonTools } from '#e2e/clients/tools.ts';

/** The global setup of tests with generated clients: installs what several of them need. */
export default installPythonTools;
