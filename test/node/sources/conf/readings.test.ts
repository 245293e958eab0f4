/** The pages of readings: launcher configuration files. */
import { testReadings } from '../readings.js';

await testReadings(import.meta.dirname);
