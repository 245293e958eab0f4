/** The pages of readings: files of environment variables. */
import { testReadings } from '../readings.js';

await testReadings(import.meta.dirname);
