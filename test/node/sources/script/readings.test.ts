/** The pages of readings: scripts. */
import { testReadings } from '../readings.js';

await testReadings(import.meta.dirname);
