/** The pages of readings: Dockerfiles. */
import { testReadings } from '../readings.js';

await testReadings(import.meta.dirname);
